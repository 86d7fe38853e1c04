import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/store/schema/tables.ts';
import { openBehindTheStore } from '../../src/store/testing/behind-the-store.ts';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const SERVERS = 3;
const ENDPOINTS = 6;
const EVENTS = 20;

describe.each(['sqlite', 'postgres'])('servers that share endpoints (%s)', (dialect) => {
  let dataDir: string;
  let database: TestDatabase | undefined;
  let db: Kysely<Database>;
  let servers: TestServer[];
  let owner: Person;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'changgu-test-'));
    database = dialect === 'postgres' ? await createPostgresDatabase() : undefined;
    db = openBehindTheStore(database?.url ?? `sqlite:${dataDir}/changgu.db`);
    servers = [];
    for (let n = 0; n < SERVERS; n += 1) servers.push(await start());
    owner = await newPerson(first());
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
    for (const server of servers) await server[Symbol.asyncDispose]();
    await database?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(): Promise<TestServer> {
    // Long: a lease that ends while the machine is busy rightly makes another server send once more.
    const env = { RATE_LIMIT: '100000/60', LEASE_SECONDS: '600' };
    return startTestServer({
      dataDir,
      env: database === undefined ? env : { ...env, DATABASE_URL: database.url },
    });
  }

  function first(): TestServer {
    const [server] = servers;
    if (server === undefined) throw new Error('no server');
    return server;
  }

  /** Endpoints under paths of their own: `/0`, `/1` and so on. Answers their ids. */
  async function createEndpoints(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { status, body } = await owner.call('POST', '/v1/webhooks', {
        url: new URL(`/${n}`, receiver.url).href,
        event_types: ['key.issued'],
        env_scope: 'sandbox',
      });
      expect(status).toBe(201);
      ids.push(body.webhook_id);
    }
    return ids;
  }

  async function happen(times: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      const { body } = await owner.call('POST', '/v1/app-credentials', { label: `k${n}` });
      await owner.call('POST', `/v1/app-credentials/${body.client_id}/revoke`);
    }
  }

  const owners = () => db.selectFrom('webhooks').select(['owner', 'wake_at']).execute();
  const isIdle = () =>
    vi.waitFor(async () => {
      expect((await owners()).every((row) => row.owner === null)).toBe(true);
    }, 10_000);

  it('send each event to each endpoint once', async () => {
    await createEndpoints(ENDPOINTS);
    await happen(EVENTS);
    await receiver.received(ENDPOINTS * EVENTS);
    await isIdle();
    const sent = receiver.messages.map(({ path, id }) => `${path} ${id}`);
    expect(sent).toHaveLength(ENDPOINTS * EVENTS);
    expect(new Set(sent).size).toBe(ENDPOINTS * EVENTS);
  });

  it('let a slow receiver delay only itself', async () => {
    await createEndpoints(ENDPOINTS);
    receiver.answer = (response, { path }) => {
      if (path !== '/0') response.writeHead(204).end();
    };
    await happen(EVENTS);
    await receiver.received((ENDPOINTS - 1) * EVENTS, ({ path }) => path !== '/0');
    // At the same time: on a slow machine requests time out meanwhile, and the next one follows.
    expect(receiver.mostWaiting('/0')).toBeLessThanOrEqual(8);
  });

  it('hand over without a repeat when one of them stops', async () => {
    await createEndpoints(2);
    const stopping = happen(EVENTS);
    await receiver.received(5);
    await servers.pop()?.close();
    await stopping;
    await receiver.received(2 * EVENTS);
    await isIdle();
    expect(receiver.messages).toHaveLength(2 * EVENTS);
    servers.push(await start());
  });

  it('leave an endpoint to its holder until the lease has ended, and then take it over', async () => {
    const [id = ''] = await createEndpoints(1);
    await isIdle();
    const endsAt = Date.now() + 1_500;
    await db
      .updateTable('webhooks')
      .set({ owner: 'a process that died', wake_at: endsAt })
      .where('id', '=', id)
      .execute();
    await happen(1);
    await receiver.received(1);
    // Clocks of the database and of this process may differ by a few milliseconds.
    expect(Date.now()).toBeGreaterThan(endsAt - 100);
    expect(receiver.messages).toHaveLength(1);
  });
});
