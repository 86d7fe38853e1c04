import { LIMITS } from '@changgu/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { newMember, newPerson, type Person } from '../support/people.ts';
import { type Answer, startTestServer, type TestServer } from '../support/start-server.ts';

const told = ({ status, body }: Answer) => (body.error ? `${status} ${body.error.code}` : status);

const NEW = {
  url: 'https://receiver.example/hook',
  event_types: ['job.finished'],
  env_scope: 'sandbox',
};

describe.each(['sqlite', 'postgres'])('webhooks over the wire (%s)', (dialect) => {
  let server: TestServer;
  let database: TestDatabase | undefined;
  let owner: Person;
  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : undefined;
    // Nothing is sent here: no worker runs.
    const env = { ROLE: 'api', RATE_LIMIT: '100000/60' };
    server = await startTestServer({
      env: database === undefined ? env : { ...env, DATABASE_URL: database.url },
    });
    owner = await newPerson(server);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  async function create(body: object = {}, person = owner) {
    const answer = await person.call('POST', '/v1/webhooks', { ...NEW, ...body });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  /** The calls of a new key of the owner's organization. */
  async function withKey(rights: object) {
    const { body } = await owner.call('POST', '/v1/app-credentials', { label: 'k', ...rights });
    const pair = Buffer.from(`${body.client_id}:${body.client_secret}`).toString('base64');
    const headers = { authorization: `Basic ${pair}` };
    return (method: string, path: string, sent?: unknown) =>
      server.call(method, path, { headers, ...(sent === undefined ? {} : { body: sent }) });
  }

  it('shows the secret once and the public key always', async () => {
    const { secret, ...created } = await create({ description: 'night jobs' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({
      ...NEW,
      description: 'night jobs',
      status: 'ENABLED',
      disabled_reason: null,
      previous_secret_expires_at: null,
    });
    const { webhook_id: id } = created;
    expect((await owner.call('GET', `/v1/webhooks/${id}`)).body).toEqual(created);
    const { items } = (await owner.call('GET', '/v1/webhooks')).body;
    expect(items[0]).toEqual(created);
    expect(JSON.stringify(items)).not.toContain('whsec_');
  });

  it.each([
    'http://receiver.example/hook',
    'ftp://receiver.example/',
    'https://user:pw@receiver.example/',
    'https://receiver.example/#part',
    'https://10.1.2.3/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://0x0a000001/',
    'https://[::ffff:10.0.0.1]/',
    'not a url',
  ])('refuses to send to %s', async (url) => {
    const answer = await owner.call('POST', '/v1/webhooks', { ...NEW, url });
    expect(told(answer)).toBe('400 VALIDATION_INVALID_FIELD');
    expect(answer.body.error.fields[0].loc).toEqual(['body', 'url']);
  });

  it('refuses what cannot be subscribed to, and addresses that are too long', async () => {
    for (const body of [
      { event_types: ['webhook.test'] },
      { event_types: [] },
      { event_types: ['job.finished', 'job.finished'] },
      { url: `https://receiver.example/${'x'.repeat(LIMITS.webhookUrlLength)}` },
    ]) {
      const answer = await owner.call('POST', '/v1/webhooks', { ...NEW, ...body });
      expect(told(answer)).toBe('422 VALIDATION_INVALID_FIELD');
    }
  });

  it('changes, switches off and on, and deletes', async () => {
    const { webhook_id: id } = await create();
    const path = `/v1/webhooks/${id}`;
    const changed = await owner.call('PATCH', path, {
      url: 'https://other.example/',
      event_types: ['job.queued', 'link.unlinked'],
    });
    expect(changed.body).toMatchObject({
      url: 'https://other.example/',
      event_types: ['job.queued', 'link.unlinked'],
    });
    const off = await owner.call('PATCH', path, { status: 'DISABLED' });
    expect(off.body).toMatchObject({ status: 'DISABLED', disabled_reason: 'requested' });
    expect(told(await owner.call('POST', `${path}/test`))).toBe('409 CONFLICT_STATE');
    const on = await owner.call('PATCH', path, { status: 'ENABLED' });
    expect(on.body).toMatchObject({ status: 'ENABLED', disabled_reason: null, disabled_at: null });
    expect((await owner.call('DELETE', path)).body).toEqual({ webhook_id: id, status: 'DELETED' });
    expect(told(await owner.call('GET', path))).toBe('404 RESOURCE_NOT_FOUND');
  });

  it('rotates the secret and the key pair, and says until when the old ones sign', async () => {
    const created = await create();
    const path = `/v1/webhooks/${created.webhook_id}/rotate`;
    const { body: rotated } = await owner.call('POST', path, { overlap_hours: 1 });
    expect(rotated.secret).not.toBe(created.secret);
    expect(rotated.public_key).not.toBe(created.public_key);
    expect(Date.parse(rotated.previous_secret_expires_at)).toBeGreaterThan(Date.now());
    const { body: atOnce } = await owner.call('POST', path, { overlap_hours: 0 });
    expect(atOnce.previous_secret_expires_at).toBeNull();
    expect((await owner.call('POST', path)).body.previous_secret_expires_at).not.toBeNull();
  });

  it('lists tests and replays page by page, newest first', async () => {
    const { webhook_id: id } = await create();
    const path = `/v1/webhooks/${id}`;
    const { body: first, status } = await owner.call('POST', `${path}/test`);
    expect([status, first.kind, first.status, first.event_type]).toEqual([
      202,
      'test',
      'PENDING',
      'webhook.test',
    ]);
    const again = `${path}/deliveries/${first.delivery_id}/replay`;
    const replays = [await owner.call('POST', again), await owner.call('POST', again)];
    expect(replays.map(({ body }) => [body.kind, body.event_id])).toEqual([
      ['replay', first.event_id],
      ['replay', first.event_id],
    ]);
    const page = await owner.call('GET', `${path}/deliveries?limit=2`);
    const rest = await owner.call(
      'GET',
      `${path}/deliveries?limit=2&cursor=${page.body.next_cursor}`,
    );
    const ids = [...page.body.items, ...rest.body.items].map((item) => item.delivery_id);
    expect(ids).toEqual([
      replays[1]?.body.delivery_id,
      replays[0]?.body.delivery_id,
      first.delivery_id,
    ]);
    expect(rest.body.next_cursor).toBeNull();
    const failed = await owner.call('GET', `${path}/deliveries?status=FAILED`);
    expect(failed.body.items).toEqual([]);
  });

  it('replays one range at a time', async () => {
    const { webhook_id: id } = await create();
    const range = { from: '2026-01-01T00:00:00+09:00', to: '2026-01-02T00:00:00+09:00' };
    const replay = (body: object) => owner.call('POST', `/v1/webhooks/${id}/replay`, body);
    expect(told(await replay({ from: range.to, to: range.from }))).toBe(
      '400 VALIDATION_INVALID_FIELD',
    );
    const accepted = await replay(range);
    expect([accepted.status, accepted.body.from]).toEqual([202, '2026-01-01T00:00:00.000+09:00']);
    expect(told(await replay(range))).toBe('409 CONFLICT_STATE');
  });

  it('lets a key with the right manage what it may read itself, and nothing else', async () => {
    const key = await withKey({ manage_webhooks: true });
    expect((await key('POST', '/v1/webhooks', NEW)).status).toBe(201);
    const foreignEnv = { ...NEW, env_scope: 'production' };
    expect(told(await key('POST', '/v1/webhooks', foreignEnv))).toBe('403 POLICY_ENV_NOT_ALLOWED');
    const ofPeople = { ...NEW, event_types: ['member.joined'] };
    expect(told(await key('POST', '/v1/webhooks', ofPeople))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    const hidden = [await create(ofPeople), await create(foreignEnv)];
    for (const { webhook_id: id } of hidden) {
      expect(told(await key('GET', `/v1/webhooks/${id}`))).toBe('404 RESOURCE_NOT_FOUND');
      expect(told(await key('PATCH', `/v1/webhooks/${id}`, { url: NEW.url }))).toBe(
        '404 RESOURCE_NOT_FOUND',
      );
    }
    const { items } = (await key('GET', '/v1/webhooks')).body;
    const seen = items.map((item: { webhook_id: string }) => item.webhook_id);
    for (const { webhook_id: id } of hidden) expect(seen).not.toContain(id);
    const plain = await withKey({});
    expect(told(await plain('GET', '/v1/webhooks'))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
  });

  it('is not for a key that is limited to some actions: an endpoint gets the events of all (D147)', async () => {
    const key = await withKey({ manage_webhooks: true, allowed_actions: ['bank_a.*'] });
    expect(told(await key('POST', '/v1/webhooks', NEW))).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    const { webhook_id: id } = await create();
    expect(told(await key('POST', `/v1/webhooks/${id}/rotate`))).toBe('404 RESOURCE_NOT_FOUND');
    const quotas = { ...NEW, event_types: ['quota.low'] };
    expect((await key('POST', '/v1/webhooks', quotas)).status).toBe(201);
    const any = await withKey({ manage_webhooks: true, allowed_actions: ['*'] });
    expect((await any('POST', '/v1/webhooks', NEW)).status).toBe(201);
  });

  it('is for administrators of the own organization', async () => {
    const member = await newMember(server, owner, 'MEMBER');
    const told403 = told(await member.call('GET', '/v1/webhooks'));
    expect(told403).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    const administrator = await newMember(server, owner, 'ADMIN');
    const { webhook_id: id } = await create({}, administrator);
    const stranger = await newPerson(server);
    expect(told(await stranger.call('DELETE', `/v1/webhooks/${id}`))).toBe(
      '404 RESOURCE_NOT_FOUND',
    );
    expect((await stranger.call('GET', '/v1/webhooks')).body.items).toEqual([]);
  });

  it('keeps no more endpoints than an organization may have', async () => {
    const person = await newPerson(server);
    for (let n = 0; n < LIMITS.webhooks; n += 1) await create({}, person);
    const answer = await person.call('POST', '/v1/webhooks', NEW);
    expect(told(answer)).toBe('409 POLICY_LIMIT_REACHED');
  });

  it('keeps neither secrets nor private keys in the clear (D159)', async () => {
    const { secret } = await create();
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const { readdir, readFile } = await import('node:fs/promises');
    for (const name of await readdir(server.dataDir)) {
      const file = await readFile(`${server.dataDir}/${name}`);
      expect(file.includes(secret)).toBe(false);
      expect(file.includes(secret.slice('whsec_'.length))).toBe(false);
      expect(file.includes(bytes)).toBe(false);
    }
  });
});
