import { createPublicKey, verify } from 'node:crypto';
import type { Kysely } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/store/schema/tables.ts';
import { openBehindTheStore } from '../../src/store/testing/behind-the-store.ts';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import {
  answering,
  type ReceivedMessage,
  startReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const DAY_MS = 86_400_000;

describe.each(['sqlite', 'postgres'])('webhooks are delivered (%s)', (dialect) => {
  let server: TestServer;
  let database: TestDatabase | undefined;
  let db: Kysely<Database>;
  let mailbox: Mailbox;
  let owner: Person;
  let receiver: WebhookReceiver;
  let submitted = 0;

  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : undefined;
    mailbox = await openMailbox();
    server = await startTestServer({
      env: {
        RATE_LIMIT: '100000/60',
        SMTP_URL: mailbox.url,
        ...(database && { DATABASE_URL: database.url }),
      },
    });
    db = openBehindTheStore(database?.url ?? `sqlite:${server.dataDir}/changgu.db`);
    owner = await newPerson(server);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    const { items } = (await owner.call('GET', '/v1/webhooks')).body;
    for (const { webhook_id: id } of items) await owner.call('DELETE', `/v1/webhooks/${id}`);
    await receiver.close();
  });
  afterAll(async () => {
    await db.destroy();
    await server[Symbol.asyncDispose]();
    await mailbox.close();
    await database?.remove();
  });

  async function create(body: object = {}) {
    const answer = await owner.call('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['key.issued'],
      env_scope: 'sandbox',
      ...body,
    });
    expect(answer.status).toBe(201);
    return { ...answer.body, path: `/v1/webhooks/${answer.body.webhook_id}` };
  }

  /** Something that an organization is told of: `key.issued`, then `key.revoked`. Answers which key. */
  async function happen(): Promise<string> {
    submitted += 1;
    const { body } = await owner.call('POST', '/v1/app-credentials', { label: `k${submitted}` });
    await owner.call('POST', `/v1/app-credentials/${body.client_id}/revoke`);
    return body.client_id;
  }

  /** The newest delivery, once it is as it should be. */
  const delivery = (path: string, like: object) =>
    vi.waitFor(async () => {
      const { body } = await owner.call('GET', `${path}/deliveries`);
      expect(body.items[0]).toMatchObject(like);
      return body.items[0];
    }, 10_000);

  /** The newest event of a type. Other databases of the same PostgreSQL may hold it back for a moment. */
  const newest = (type: string, like: object) =>
    vi.waitFor(async () => {
      const { items } = (await owner.call('GET', `/v1/events?type=${type}`)).body;
      expect(items.at(-1)).toMatchObject(like);
      return items.at(-1);
    }, 20_000);

  const verified = ({ body, headers }: ReceivedMessage, secret: string) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);

  it('as messages that the public library verifies, with what the list of events shows', async () => {
    const { secret, path } = await create();
    await happen();
    const [message] = await receiver.received(1);
    if (message === undefined) throw new Error('nothing came');
    const event = verified(message, secret);
    expect(event).toEqual(await newest('key.issued', { event_id: message.id }));
    expect(() => verified({ ...message, body: `${message.body} ` }, secret)).toThrow();
    expect(await delivery(path, { status: 'SUCCEEDED' })).toMatchObject({
      event_id: message.id,
      kind: 'event',
      attempts: 1,
      response_status: 204,
      next_attempt_at: null,
      error: null,
    });
  });

  it('with an ed25519 signature beside it', async () => {
    const { public_key: publicKey } = await create();
    await happen();
    const [message] = await receiver.received(1);
    const signatures = String(message?.headers['webhook-signature']).split(' ');
    const [, signature = ''] = signatures.find((each) => each.startsWith('v1a,'))?.split(',') ?? [];
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const timestamp = String(message?.headers['webhook-timestamp']);
    const signed = `${message?.id}.${timestamp}.${message?.body}`;
    expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('signed with both secrets while they are rotated', async () => {
    const before = await create();
    const rotate = (hours: number) =>
      owner.call('POST', `${before.path}/rotate`, { overlap_hours: hours });
    await happen();
    await receiver.received(1);
    const { body: after } = await rotate(1);
    await happen();
    const [, during] = await receiver.received(2);
    if (during === undefined) throw new Error('nothing came');
    verified(during, before.secret);
    verified(during, after.secret);
    const { body: last } = await rotate(0);
    await happen();
    const [, , message] = await receiver.received(3);
    if (message === undefined) throw new Error('nothing came');
    verified(message, last.secret);
    expect(() => verified(message, after.secret)).toThrow();
  });

  it('only to those whom they concern', async () => {
    await create({ event_types: ['key.revoked'] });
    await create({ event_types: ['job.finished'] });
    const stranger = await newPerson(server);
    await stranger.call('POST', '/v1/app-credentials', { label: 'of another organization' });
    await happen();
    await happen();
    const messages = await receiver.received(2);
    expect(messages.map(({ type }) => type)).toEqual(['key.revoked', 'key.revoked']);
  });

  it('again after a failure, five seconds later, under the same id', async () => {
    const { path } = await create();
    receiver.answer = answering(500, 'no room\u0000 today');
    await happen();
    const failed = await delivery(path, { attempts: 1, status: 'PENDING', error: 'STATUS' });
    expect(failed).toMatchObject({ response_status: 500, response_body: 'no room\ufffd today' });
    const wait = Date.parse(failed.next_attempt_at) - Date.parse(failed.last_attempt_at);
    expect(wait).toBeGreaterThanOrEqual(5_000);
    expect(wait).toBeLessThanOrEqual(6_000);
    expect((await owner.call('GET', path)).body.failing_since).not.toBeNull();
    receiver.answer = answering(200, 'x'.repeat(5_000));
    const messages = await receiver.received(2);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    const done = await delivery(path, { attempts: 2, status: 'SUCCEEDED' });
    expect(done.response_body).toBe('x'.repeat(1_024));
    await vi.waitFor(
      async () => expect((await owner.call('GET', path)).body.failing_since).toBeNull(),
      20_000,
    );
  });

  it('to no other address than the one that was given: a redirect is a failure', async () => {
    const elsewhere = await startReceiver();
    const { path } = await create();
    receiver.answer = answering(307, '', { location: elsewhere.url });
    await happen();
    await delivery(path, { status: 'PENDING', error: 'REDIRECT', response_status: 307 });
    expect(elsewhere.messages).toEqual([]);
    await elsewhere.close();
  });

  it('no more once a receiver says that it is gone', async () => {
    await owner.call('POST', '/v1/me/email-verification');
    await db
      .updateTable('users')
      .set({ email_verified_at: 1 })
      .where('email', '=', owner.email)
      .execute();
    const { path, webhook_id: id } = await create();
    receiver.answer = answering(410);
    await happen();
    await delivery(path, { status: 'PENDING', response_status: 410 });
    await vi.waitFor(
      async () =>
        expect((await owner.call('GET', path)).body).toMatchObject({
          status: 'DISABLED',
          disabled_reason: 'gone',
        }),
      20_000,
    );
    await newest('webhook.disabled', { subject: { webhook_id: id }, data: { reason: 'gone' } });
    const letter = await mailbox.letterTo(owner.email, id);
    expect(letter.text).toContain('410');
    const meanwhile = await happen();
    // An endpoint begins behind what can be read by then.
    await vi.waitFor(async () => {
      const { items } = (await owner.call('GET', '/v1/events?type=key.revoked&limit=100')).body;
      expect(JSON.stringify(items.at(-1))).toContain(meanwhile);
    }, 20_000);
    receiver.answer = answering(200);
    await owner.call('PATCH', path, { status: 'ENABLED' });
    const after = await happen();
    await receiver.received(1, ({ body }) => body.includes(after));
    // What was promised comes again by now or later; what happened meanwhile does not.
    expect(receiver.messages.filter(({ body }) => body.includes(meanwhile))).toEqual([]);
  });

  it('no more after five days of failures', async () => {
    const { path, webhook_id: id } = await create();
    await db
      .updateTable('webhooks')
      .set({ failing_since: Date.now() - 5 * DAY_MS })
      .where('id', '=', id)
      .execute();
    receiver.answer = answering(503);
    await happen();
    await vi.waitFor(
      async () => expect((await owner.call('GET', path)).body.disabled_reason).toBe('failing'),
      20_000,
    );
  });

  it('once more when asked: the same id, the current secret, and no word on the health', async () => {
    const { path } = await create();
    await happen();
    const [first] = await receiver.received(1);
    const { delivery_id: done } = await delivery(path, { status: 'SUCCEEDED' });
    receiver.answer = answering(500);
    const { secret } = (await owner.call('POST', `${path}/rotate`, { overlap_hours: 0 })).body;
    await owner.call('POST', `${path}/deliveries/${done}/replay`);
    const [, replayed] = await receiver.received(2);
    if (replayed === undefined) throw new Error('nothing came');
    expect(replayed.id).toBe(first?.id);
    verified(replayed, secret);
    await delivery(path, { kind: 'replay', status: 'FAILED', attempts: 1 });
    expect((await owner.call('GET', path)).body.failing_since).toBeNull();
    const { items } = (await owner.call('GET', '/v1/audit')).body;
    expect(items.map(({ act }: { act: string }) => act)).toContain('webhook.replay');
  });

  it('all of a time once more when asked, each once', async () => {
    const from = new Date().toISOString();
    for (let n = 0; n < 3; n += 1) await happen();
    const to = new Date(Date.now() + 60_000).toISOString();
    const { path } = await create();
    const range = { from, to };
    expect((await owner.call('POST', `${path}/replay`, range)).status).toBe(202);
    const messages = await receiver.received(3);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
    await vi.waitFor(
      async () => expect((await owner.call('POST', `${path}/replay`, range)).status).toBe(202),
      20_000,
    );
    await receiver.received(6);
    expect(receiver.messages).toHaveLength(6);
    const { items } = (await owner.call('GET', '/v1/audit')).body;
    expect(JSON.stringify(items)).toContain('webhook.replay_range');
  });

  it('as a test to the endpoint that was asked for', async () => {
    const { path, webhook_id: id } = await create();
    await create();
    await owner.call('POST', `${path}/test`);
    const [message] = await receiver.received(1);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      subject: { webhook_id: id },
    });
    await delivery(path, { kind: 'test', status: 'SUCCEEDED' });
    expect(receiver.messages).toHaveLength(1);
  });

  it('while another receiver answers nothing at all', async () => {
    const silent = await startReceiver();
    silent.answer = () => {};
    await create({ url: silent.url, event_types: ['key.issued', 'key.revoked'] });
    await create();
    for (let n = 0; n < 20; n += 1) await happen();
    const messages = await receiver.received(20);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(20);
    // At the same time: on a slow machine requests time out meanwhile, and the next one follows.
    expect(silent.mostWaiting('/hook')).toBeLessThanOrEqual(8);
    await silent.close();
  });
});
