import { Changgu } from '@changgu/sdk';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../src/store/database.ts';
import type { Database } from '../../src/store/schema/tables.ts';
import { openBehindTheStore } from '../../src/store/testing/behind-the-store.ts';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { answering, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Tells how often the couriers have asked the database since. */
function countQueries({ webhookCouriers }: Store): () => number {
  const names = Object.keys(webhookCouriers) as (keyof typeof webhookCouriers)[];
  const spies = names.map((name) => vi.spyOn(webhookCouriers, name));
  return () => {
    const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    for (const spy of spies) spy.mockRestore();
    return calls;
  };
}

describe.each(['sqlite', 'postgres'])('events at rest (%s)', (dialect) => {
  let server: TestServer;
  let database: TestDatabase | undefined;
  let db: Kysely<Database>;
  let owner: Person;
  let receiver: WebhookReceiver;
  let jobs = 0;

  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : undefined;
    const env = { RATE_LIMIT: '100000/60' };
    server = await startTestServer({
      env: database === undefined ? env : { ...env, DATABASE_URL: database.url },
    });
    db = openBehindTheStore(database?.url ?? `sqlite:${server.dataDir}/changgu.db`);
    owner = await newPerson(server);
    receiver = await startReceiver();
  });
  afterEach(async () => {
    const { items } = (await owner.call('GET', '/v1/webhooks')).body;
    for (const { webhook_id: id } of items) await owner.call('DELETE', `/v1/webhooks/${id}`);
  });
  afterAll(async () => {
    await db.destroy();
    await receiver.close();
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  /** In the organization of the demo client. */
  async function runJob(): Promise<string> {
    jobs += 1;
    const { body } = await server.call('POST', '/v1/jobs', {
      key: `rest-${jobs}`,
      body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
    });
    await server.ended(body.job_id);
    return body.job_id;
  }

  /** PostgreSQL shows an event once every older transaction has ended. */
  const placeOfEnd = (jobId: string) =>
    vi.waitFor(async () => {
      const { body } = await server.call('GET', `/v1/events?type=job.finished&job_id=${jobId}`);
      const place: string = body.items.at(-1).event_id;
      return place;
    }, 10_000);

  const issueKey = () => owner.call('POST', '/v1/app-credentials', { label: 'k' });
  const createEndpoint = async () => {
    const { body } = await owner.call('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['key.issued'],
      env_scope: 'sandbox',
    });
    return `/v1/webhooks/${body.webhook_id}`;
  };

  const isIdle = () =>
    vi.waitFor(async () => {
      const held = db.selectFrom('webhooks').select('id').where('owner', 'is not', null);
      expect(await held.execute()).toEqual([]);
    }, 10_000);

  it('make no process look for endpoints while there is none', async () => {
    const queries = countQueries(server.core.store);
    for (let n = 0; n < 5; n += 1) await runJob();
    expect(queries()).toBe(0);
  });

  it('of organizations without an endpoint wake no courier, also when others have one', async () => {
    await createEndpoint();
    await issueKey();
    await receiver.received(1);
    await isIdle();
    const queries = countQueries(server.core.store);
    for (let n = 0; n < 5; n += 1) await runJob();
    // Whoever gave the endpoint back looks once more: claims, and asks when something is due.
    expect(queries()).toBeLessThanOrEqual(2);
  });

  it('are purged behind a reader that follows them, and none is missed', async () => {
    await using client = new Changgu({
      baseUrl: server.url,
      clientId: server.client.client_id,
      clientSecret: server.client.client_secret,
      envScope: 'sandbox',
    });
    const seen: string[] = [];
    const opened = Promise.withResolvers<void>();
    const stop = new AbortController();
    const options = { onPlace: () => opened.resolve(), signal: stop.signal };
    const following = (async () => {
      for await (const { type, subject } of client.events.stream({}, options))
        seen.push(`${subject.jobId} ${type}`);
    })().catch(() => {});
    await opened.promise;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const id = await runJob();
      ids.push(id);
      await vi.waitFor(() => expect(seen).toContain(`${id} job.finished`), 10_000);
      while (await server.core.store.engine.purgeEvents(0));
    }
    stop.abort();
    await following;
    // On PostgreSQL, events of jobs before may have been held back until now.
    const ofTheseJobs = seen.filter((line) => ids.some((id) => line.startsWith(id)));
    expect(ofTheseJobs).toEqual(
      ids.flatMap((id) => [`${id} job.queued`, `${id} job.started`, `${id} job.finished`]),
    );
  });

  it('go on with the oldest that is left, for a reader whose place was purged', async () => {
    const before = await runJob();
    const place = await placeOfEnd(before);
    while (await server.core.store.engine.purgeEvents(0));
    const jobId = await runJob();
    await placeOfEnd(jobId);
    const rest = await server.call('GET', `/v1/events?after=${place}`);
    expect(rest.body.items).toMatchObject([
      { type: 'job.queued', subject: { job_id: jobId } },
      { type: 'job.started' },
      { type: 'job.finished' },
    ]);
  });

  it('that were purged before they were delivered end there, and hold up nothing', async () => {
    const path = await createEndpoint();
    const before = receiver.messages.length;
    receiver.answer = answering(500);
    await issueKey();
    await receiver.received(before + 1);
    while (await server.core.store.engine.purgeEvents(0));
    receiver.answer = answering(204);
    await issueKey();
    await receiver.received(before + 2);
    await vi.waitFor(async () => {
      const { body } = await owner.call('GET', `${path}/deliveries`);
      expect(body.items).toMatchObject([
        { status: 'SUCCEEDED' },
        { status: 'FAILED', error: 'EVENT_PURGED' },
      ]);
    }, 15_000);
  });

  it('leave no log of deliveries after thirty days, and the pages go on', async () => {
    const path = await createEndpoint();
    const before = receiver.messages.length;
    for (let n = 0; n < 3; n += 1) await issueKey();
    await receiver.received(before + 3);
    const page = await owner.call('GET', `${path}/deliveries?limit=1`);
    await db
      .updateTable('webhook_deliveries')
      .set({ created_at: Date.now() - 31 * 86_400_000 })
      .execute();
    while (await server.core.store.engine.purgeDeliveries());
    const cursor = page.body.next_cursor;
    const rest = await owner.call('GET', `${path}/deliveries?limit=1&cursor=${cursor}`);
    expect([rest.status, rest.body.items]).toEqual([200, []]);
    await issueKey();
    await receiver.received(before + 4);
    const now = await owner.call('GET', `${path}/deliveries`);
    expect(now.body.items).toHaveLength(1);
  });
});
