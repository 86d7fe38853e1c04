import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { callerWith } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const KEYS = '/v1/admin/legacy-api-keys';

describe.each(['sqlite', 'postgres'] as const)('an x-api-key (%s)', (dialect) => {
  let database: TestDatabase | null = null;
  let server: TestServer;

  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : null;
    server = await startTestServer({
      env: {
        ROLE: 'api',
        TRUST_PROXY: '1',
        ...(database === null ? {} : { DATABASE_URL: database.url }),
      },
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  const asAdmin = (method: string, path: string, body?: unknown) =>
    callerWith(server, server.adminToken)(method, path, body);

  const issue = (limits: object = {}) =>
    asAdmin('POST', KEYS, {
      organization_id: server.organizationId,
      env_scope: 'sandbox',
      label: 'old program',
      ...limits,
    });

  async function use(key: string, address = '203.0.113.9'): Promise<number> {
    const headers = { 'x-api-key': key, 'x-forwarded-for': address };
    return (await fetch(new URL('/v1/membership/me', server.url), { headers })).status;
  }

  async function listed(id: string) {
    const { body } = await asAdmin('GET', `${KEYS}?organization_id=${server.organizationId}`);
    return body.items.find(({ key_id }: { key_id: string }) => key_id === id);
  }

  const rowsOf = async (act: string, id: string) =>
    (await asAdmin('GET', `/v1/admin/audit?act=legacy_api_key.${act}&target=${id}`)).body.items;

  it('has no limits unless they are asked for, and no checksum is needed of older ones', async () => {
    const { body } = await issue();
    expect(body).toMatchObject({
      api_key: expect.stringMatching(/^cgk_[\w-]{50}$/),
      expires_at: null,
      allowed_addresses: null,
      previous_key_expires_at: null,
    });
    expect([await use(body.api_key), await use(server.legacyApiKey)]).toEqual([200, 200]);
  });

  it('ends at its time, and is not issued for a time that is over', async () => {
    const at = new Date((await server.core.store.clock.now()) + 60_000).toISOString();
    const { body } = await issue({ expires_at: at });
    expect(await use(body.api_key)).toBe(200);
    await server.core.store.clock.advance({ seconds: 61 });
    expect(await use(body.api_key)).toBe(401);
    expect((await asAdmin('POST', `${KEYS}/${body.key_id}/rotate`)).status).toBe(409);
    expect((await issue({ expires_at: '2001-01-01T00:00:00Z' })).status).toBe(400);
  });

  it('is taken from its addresses alone, and a refusal is recorded', async () => {
    const { body } = await issue({ allowed_addresses: ['203.0.113.0/24'] });
    expect(await use(body.api_key, '203.0.113.1')).toBe(200);
    expect(await use(body.api_key, '198.51.100.1')).toBe(401);
    await vi.waitUntil(async () => (await rowsOf('refuse', body.key_id)).length === 1);
    expect(await rowsOf('refuse', body.key_id)).toMatchObject([
      { address: '198.51.100.1', details: { reason: 'address' } },
    ]);
    expect((await issue({ allowed_addresses: ['somewhere'] })).status).toBe(400);
  });

  it('tells when it was last used, and each new address once', async () => {
    const { body } = await issue();
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      await use(body.api_key, address);
    }
    await vi.waitUntil(
      async () => (await rowsOf('use_from_new_address', body.key_id)).length === 2,
    );
    expect(await listed(body.key_id)).toMatchObject({
      last_used_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      last_used_address: '203.0.113.1',
    });
  });

  it('is replaced without an outage, under the same id', async () => {
    const { body: first } = await issue();
    const rotate = async (hours: number) =>
      (await asAdmin('POST', `${KEYS}/${first.key_id}/rotate`, { overlap_hours: hours })).body;
    const second = await rotate(2);
    expect(second.previous_key_expires_at).not.toBeNull();
    expect([await use(first.api_key), await use(second.api_key)]).toEqual([200, 200]);
    await server.core.store.clock.advance({ seconds: 7_201 });
    expect([await use(first.api_key), await use(second.api_key)]).toEqual([401, 200]);
    const third = await rotate(0);
    expect([await use(second.api_key), await use(third.api_key)]).toEqual([401, 200]);
    expect(await rowsOf('rotate', first.key_id)).toMatchObject([
      { details: { overlap_seconds: 0 } },
      { details: { overlap_seconds: 7_200 } },
    ]);
    await asAdmin('POST', `${KEYS}/${first.key_id}/revoke`);
    expect(await use(third.api_key)).toBe(401);
    expect((await asAdmin('POST', `${KEYS}/${first.key_id}/rotate`)).status).toBe(409);
  });
});
