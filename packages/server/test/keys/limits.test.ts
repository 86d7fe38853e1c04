import { OPERATIONS, type Operation, operations } from '@changgu/contract/schemas';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { encrypt } from '../support/encrypt.ts';
import { bearer } from '../support/people.ts';
import { type Answer, startTestServer, type TestServer } from '../support/start-server.ts';

interface Key {
  readonly client_id: string;
  readonly client_secret: string;
}

const LISTS: readonly Operation[] = Object.values(operations).flatMap((group) =>
  Object.values(group),
);

const basic = ({ client_id, client_secret }: Key) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
});

describe.each(['sqlite', 'postgres'] as const)('what a key is limited to (%s)', (dialect) => {
  let database: TestDatabase | null = null;
  let server: TestServer;
  let owner: Record<string, string>;
  let calls = 0;

  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : null;
    server = await startTestServer({
      env: {
        ROLE: 'api',
        RATE_LIMIT: '100000/60',
        TRUST_PROXY: '1',
        PRODUCTION_URL_BANK_B: 'https://bank-b.example',
        ...(database === null ? {} : { DATABASE_URL: database.url }),
      },
    });
    const { body } = await server.call('POST', '/v1/auth/login', { body: server.console });
    owner = bearer(body.access_token);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  const asOwner = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { headers: owner, ...(body === undefined ? {} : { body }) });

  async function issue(limits: object = {}): Promise<Key> {
    const { status, body } = await asOwner('POST', '/v1/app-credentials', {
      label: 'limited',
      ...limits,
    });
    expect(status).toBe(201);
    return body;
  }

  /** Desktop agents alone may link. */
  async function issueAgent(limits: object): Promise<Key> {
    const { status, body } = await server.call('POST', '/v1/app-credentials', {
      headers: {
        ...bearer(server.adminToken),
        'x-organization-id': String(server.organizationId),
      },
      body: { label: 'agent', integration_profile: 'desktop_agent', ...limits },
    });
    expect(status).toBe(201);
    return body;
  }

  const as =
    (key: Key) =>
    (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      server.call(method, path, {
        key: `limits-${calls++}`,
        headers: { ...basic(key), ...more },
        ...(body === undefined ? {} : { body }),
      });

  const codeOf = ({ status, body }: Answer) => `${status} ${body.error?.code ?? ''}`.trim();
  const LIST_A = { provider: 'bank_a', action: 'bank_a.accounts.list' };
  const LIST_B = { provider: 'bank_b', action: 'bank_b.accounts.list' };
  const ACT = {
    provider: 'tax_portal',
    action: 'tax_portal.c1.vat_standard',
    params: { purpose_code: '07' },
  };

  it('hides the jobs of actions that the key may not run, in every way of reading them', async () => {
    const all = as(await issue());
    const [mine, other] = [
      await all('POST', '/v1/jobs', LIST_A),
      await all('POST', '/v1/jobs', LIST_B),
    ];
    const call = as(await issue({ allowed_actions: ['bank_a.*'] }));
    const { body } = await call('GET', '/v1/jobs');
    const providers = new Set(body.items.map(({ provider }: { provider: string }) => provider));
    expect([...providers]).toEqual(['bank_a']);
    expect((await call('GET', `/v1/jobs/${mine.body.job_id}`)).status).toBe(200);
    const path = `/v1/jobs/${other.body.job_id}`;
    for (const [method, way] of [
      ['GET', path],
      ['GET', `${path}/result`],
      ['GET', `${path}/timeline`],
      ['POST', `${path}/cancel`],
      ['DELETE', `${path}/artifacts`],
    ] as const) {
      expect(codeOf(await call(method, way)), way).toBe('404 JOB_NOT_FOUND');
    }
    const exact = as(await issue({ allowed_actions: ['bank_b.accounts.list'] }));
    expect((await exact('GET', '/v1/jobs')).body.items.length).toBeGreaterThan(0);
    expect((await exact('GET', path)).status).toBe(200);
  });

  it('mentions nothing out of reach of the key in any list', async () => {
    const link = await linkTo('bank_b', 'test');
    const job = await as(await issue())('POST', '/v1/jobs', { ...LIST_B, account_link_id: link });
    expect(job.status).toBe(202);
    const everything = as(await issue());
    const limited = as(await issue({ allowed_actions: ['bank_a.*'] }));
    const mentions = async (call: typeof limited, path: string) => {
      const { status, body } = await call('GET', path);
      const text = JSON.stringify(body);
      return status < 300 && [job.body.job_id, link].some((id) => text.includes(id));
    };
    // PostgreSQL shows events once all older transactions, those of other databases included, have ended.
    await vi.waitUntil(() => mentions(everything, '/v1/events'), { timeout: 20_000 });
    const seen: string[] = [];
    const canceled = cancelRun(everything);
    for (const { method, path, may } of LISTS) {
      if (method !== 'GET' || path.includes('{') || may === 'anyone' || !may.client) continue;
      expect(await mentions(limited, path), path).toBe(false);
      if (await mentions(everything, path)) seen.push(path);
    }
    expect(await canceled).toBe(200);
    expect(seen).toEqual(expect.arrayContaining(['/v1/jobs', '/v1/credentials', '/v1/events']));
  });

  /** One of the paths runs a job and waits for it: half a minute where no worker is. */
  async function cancelRun(call: ReturnType<typeof as>): Promise<number> {
    const isRun = ({ action }: { action: string }) => action === 'tax_portal.s1.user_info';
    const run = await vi.waitUntil(
      async () => (await call('GET', '/v1/jobs')).body.items.find(isRun),
      { timeout: 20_000 },
    );
    return (await call('POST', `/v1/jobs/${run.job_id}/cancel`)).status;
  }

  it('lets a read-only key read an act, but neither cancel it nor delete anything', async () => {
    const link = await linkTo('tax_portal');
    const issued = await as(await issue())('POST', '/v1/jobs', ACT);
    expect(issued.status).toBe(202);
    const path = `/v1/jobs/${issued.body.job_id}`;
    const call = as(await issue({ read_only: true }));
    const inquiry = await call('POST', '/v1/jobs', LIST_A);
    expect(inquiry.status).toBe(202);
    expect((await call('POST', `/v1/jobs/${inquiry.body.job_id}/cancel`)).status).toBe(200);
    expect(codeOf(await call('DELETE', `/v1/jobs/${inquiry.body.job_id}/artifacts`))).toBe(
      '403 POLICY_TOOL_NOT_ALLOWED',
    );
    const agent = as(await issueAgent({ read_only: true }));
    expect(codeOf(await agent('POST', `/v1/credentials/${link}/unlink`))).toBe(
      '403 POLICY_TOOL_NOT_ALLOWED',
    );
    expect((await call('GET', path)).status).toBe(200);
    expect(codeOf(await call('POST', `${path}/cancel`))).toBe('403 POLICY_TOOL_NOT_ALLOWED');
  });

  async function linkTo(provider: string, purpose?: string): Promise<string> {
    const { body } = await asOwner('POST', '/v1/credentials/link', {
      provider,
      login_id: encrypt(`limits-${provider}-${purpose}`),
      login_password: encrypt('p'),
      ...(purpose ? { purpose } : {}),
    });
    expect(body.account_link_id).toBeDefined();
    return body.account_link_id;
  }

  it('hides links and bank accounts of institutions where the key may run nothing', async () => {
    const link = await linkTo('bank_b', 'test');
    const call = as(await issueAgent({ allowed_actions: ['bank_a.*'] }));
    expect((await call('GET', '/v1/credentials')).body.items).toEqual([]);
    for (const [method, path] of [
      ['GET', `/v1/credentials/${link}`],
      ['POST', `/v1/credentials/${link}/unlink`],
    ] as const) {
      expect(codeOf(await call(method, path)), path).toBe('404 ACCOUNT_LINK_NOT_FOUND');
    }
    const accounts = await call('GET', `/v1/credentials/${link}/bank-accounts`);
    expect(codeOf(accounts)).toBe('404 BANK_ACCOUNT_PARENT_NOT_FOUND');
    const registered = await call('POST', '/v1/credentials/link', {
      provider: 'bank_b',
      login_id: encrypt('limits'),
      login_password: encrypt('p'),
    });
    expect(codeOf(registered)).toBe('403 POLICY_TOOL_NOT_ALLOWED');
  });

  it('documents the refusal of a read-only key wherever there is one (D147, D148)', async () => {
    const link = await linkTo('bank_b', 'test');
    const job = await as(await issue())('POST', '/v1/jobs', LIST_B);
    const call = as(await issueAgent({ read_only: true }));
    const refused: string[] = [];
    for (const { id, method, path, may, errors } of OPERATIONS) {
      const isOurs = path.startsWith('/v1/') && may !== 'anyone' && may.client;
      if (method === 'GET' || !isOurs) continue;
      const filled = path
        .replace('{account_link_id}', link)
        .replace('{job_id}', String(job.body.job_id))
        .replace(/\{\w+\}/, 'any');
      if (codeOf(await call(method, filled, {})) !== '403 POLICY_TOOL_NOT_ALLOWED') continue;
      refused.push(id);
      expect(errors, id).toContain('POLICY_TOOL_NOT_ALLOWED');
    }
    expect(refused).toEqual(
      expect.arrayContaining([
        'deleteJobArtifacts',
        'unlinkCredential',
        'setDefaultBankAccount',
        'unlinkBankAccount',
      ]),
    );
  });

  it("keeps a key for sandbox away from a customer's real login", async () => {
    const link = await linkTo('bank_b', 'real');
    const call = as(await issue({ allowed_env_scopes: ['sandbox'] }));
    const { body } = await call('GET', '/v1/credentials');
    const purposes = body.items.map(({ purpose }: { purpose: string }) => purpose);
    expect(purposes).not.toContain('real');
    expect(codeOf(await call('GET', `/v1/credentials/${link}`))).toBe('404 ACCOUNT_LINK_NOT_FOUND');
    const agent = as(await issueAgent({ allowed_env_scopes: ['sandbox'] }));
    expect((await agent('GET', `/v1/credentials/${link}`)).status).toBe(200);
  });

  it('ends a key at its time', async () => {
    const at = new Date((await server.core.store.clock.now()) + 60_000).toISOString();
    const key = await issue({ expires_at: at });
    expect((await as(key)('GET', '/v1/jobs')).status).toBe(200);
    await server.core.store.clock.advance({ seconds: 61 });
    expect(codeOf(await as(key)('GET', '/v1/jobs'))).toBe('401 AUTH_INVALID_CREDENTIALS');
    const { body } = await asOwner('GET', '/v1/app-credentials');
    const found = body.items.find((each: Key) => each.client_id === key.client_id);
    expect(found).toMatchObject({ status: 'EXPIRED', revoked_at: null });
    const late = await asOwner('POST', '/v1/app-credentials', {
      label: 'late',
      expires_at: '2001-01-01T00:00:00Z',
    });
    expect(codeOf(late)).toBe('400 VALIDATION_INVALID_FIELD');
  });

  it('takes a key from its addresses alone, and records a refusal', async () => {
    const key = await issue({ allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = async (address: string) =>
      codeOf(await as(key)('GET', '/v1/jobs', undefined, { 'x-forwarded-for': address }));
    expect(await from('203.0.113.9')).toBe('200');
    expect(await from('2001:db8::1')).toBe('200');
    expect(await from('198.51.100.1')).toBe('401 AUTH_INVALID_CREDENTIALS');
    await vi.waitUntil(async () => {
      const { body } = await asOwner(
        'GET',
        `/v1/audit?act=app_credential.refuse&target=${key.client_id}`,
      );
      return body.items[0]?.details.reason === 'address';
    }, 20_000);
    const wrong = await asOwner('POST', '/v1/app-credentials', {
      label: 'wrong',
      allowed_addresses: ['somewhere'],
    });
    expect(codeOf(wrong)).toBe('400 VALIDATION_INVALID_FIELD');
  });

  it('knows when a key was last used, and records each new address once', async () => {
    const key = await issue();
    const from = (address: string) =>
      as(key)('GET', '/v1/jobs', undefined, { 'x-forwarded-for': address });
    await from('203.0.113.1');
    await from('203.0.113.1');
    await from('203.0.113.2');
    const path = `/v1/audit?act=app_credential.use_from_new_address&actor_id=${key.client_id}`;
    await vi.waitUntil(async () => (await asOwner('GET', path)).body.items.length === 2, 20_000);
    const { body } = await asOwner('GET', '/v1/app-credentials');
    const found = body.items.find((each: Key) => each.client_id === key.client_id);
    expect(found).toMatchObject({
      last_used_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      last_used_address: '203.0.113.1',
    });
  });

  it('accepts the old secret beside the new one for as long as was asked', async () => {
    const key = await issue();
    const rotate = (overlap_hours?: number) =>
      asOwner('POST', `/v1/app-credentials/${key.client_id}/rotate`, {
        overlap_hours,
      });
    const rotated = await rotate(2);
    expect(rotated.status).toBe(200);
    expect(rotated.body.previous_secret_expires_at).not.toBeNull();
    const works = async (each: Key) => (await as(each)('GET', '/v1/jobs')).status === 200;
    const second = { ...key, client_secret: rotated.body.client_secret };
    expect([await works(key), await works(second)]).toEqual([true, true]);
    await server.core.store.clock.advance({ seconds: 7_201 });
    expect([await works(key), await works(second)]).toEqual([false, true]);
    const third = { ...key, client_secret: (await rotate(0)).body.client_secret };
    expect([await works(second), await works(third)]).toEqual([false, true]);
    await asOwner('POST', `/v1/app-credentials/${key.client_id}/revoke`);
    expect(codeOf(await rotate())).toBe('409 CONFLICT_STATE');
  });
});
