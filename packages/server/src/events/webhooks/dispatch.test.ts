import { beforeEach, describe, expect, it } from 'vitest';
import { type DispatchBench, LEASE_MS, openDispatchBench } from './testing/dispatch-bench.ts';

const SUCCEEDED = { status: 'SUCCEEDED', attempts: 1 };

describe('a process that delivers events', () => {
  let bench: DispatchBench;
  let webhookId: string;

  beforeEach(async () => {
    bench = await openDispatchBench();
    webhookId = await bench.addWebhook();
  });

  const sent = () => bench.posts.map(({ eventId }) => eventId);
  const deliveries = () =>
    bench.db.selectFrom('webhook_deliveries').select(['status', 'attempts']).execute();
  const endpoint = () =>
    bench.db
      .selectFrom('webhooks')
      .select(['owner', 'wake_at', 'tx', 'seq', 'status', 'failing_since'])
      .where('id', '=', webhookId)
      .executeTakeFirstOrThrow();

  async function answerAll(status = 204): Promise<void> {
    for (const post of bench.posts) await post.answer(status);
  }

  describe('when an endpoint is switched off and on while requests wait for their answers', () => {
    let stop: () => Promise<void>;
    beforeEach(async () => {
      stop = await bench.start();
      for (let n = 0; n < 2; n += 1) await bench.happen();
      await bench.change(webhookId, { status: 'DISABLED' });
      await bench.happen();
      await bench.change(webhookId, { status: 'ENABLED' });
      await bench.happen();
    });

    it('sends what happens from then on, and nothing of the time in between', async () => {
      await answerAll();
      await bench.pass(2 * LEASE_MS);
      await answerAll();
      expect(new Set(sent()).size).toBe(3);
      expect(await deliveries()).toEqual(Array.from({ length: 3 }, () => SUCCEEDED));
    });

    it('sends nothing twice, and counts the requests that wait', async () => {
      await bench.pass(1_000);
      expect(sent()).toHaveLength(2);
      await answerAll();
      expect(sent()).toHaveLength(3);
    });

    it('stops every courier and gives the endpoint back when it ends', async () => {
      await bench.posts[0]?.answer(204);
      const stopped = stop();
      await bench.pass(1_000);
      await stopped;
      expect((await endpoint()).owner).toBeNull();
      await bench.happen();
      await bench.pass(LEASE_MS);
      expect(sent()).toHaveLength(2);
    });
  });

  it('takes an endpoint again after the lease whose claim was not answered', async () => {
    await bench.start();
    await bench.happen();
    await bench.addWebhook();
    bench.trouble.after = (script) => {
      if (script === 'claim') throw new Error('the connection broke');
    };
    await bench.happen();
    bench.trouble = {};
    expect(sent()).toHaveLength(2);
    await bench.pass(LEASE_MS + 2_000);
    expect(sent()).toHaveLength(3);
    expect(new Set(sent()).size).toBe(2);
  });

  it('does not look for more endpoints while it has no room for them', async () => {
    await bench.copyWebhook(webhookId, 1_000);
    await bench.db.updateTable('webhooks').set({ wake_at: 1 }).execute();
    let asked = 0;
    bench.trouble.before = (script) => {
      if (script === 'nextWake') asked += 1;
    };
    await bench.start();
    await bench.pass(100);
    expect(asked).toBe(0);
  });

  it('sends events once when the answer of the database is lost after it has committed', async () => {
    await bench.start();
    bench.loseOneAnswer('advance');
    await bench.happen();
    await bench.pass(2_000);
    await answerAll();
    await bench.pass(2_000);
    expect(sent()).toHaveLength(1);
    expect(await deliveries()).toEqual([SUCCEEDED]);
  });

  it('sends a replay at once, too, when the answer to making its deliveries is lost', async () => {
    await bench.start();
    await bench.happen();
    await answerAll();
    await bench.happen();
    bench.loseOneAnswer('advance');
    await bench.replay(webhookId);
    await bench.pass(2_000);
    expect(sent()).toHaveLength(4);
    expect(new Set(sent()).size).toBe(2);
  });

  /** Never quiet long enough for the courier to end. */
  async function stayBusy(seconds: number): Promise<void> {
    for (let n = 0; n < seconds; n += 1) {
      await bench.happen();
      await answerAll();
      await bench.pass(900);
    }
  }

  it.each([
    ['the due ones could not be read', 'due'],
    ['its outcome could not be written down', 'finish'],
  ])('sends a message again in time on a busy endpoint though %s', async (_, script) => {
    await bench.start();
    await bench.happen();
    if (script === 'due') await bench.posts[0]?.answer(500);
    bench.failOnce(script);
    await stayBusy(12);
    expect(sent().filter((id) => id === sent()[0])).toHaveLength(2);
    expect(await deliveries()).not.toContainEqual(expect.objectContaining({ status: 'PENDING' }));
  });

  it('makes up for lost signals within a minute', async () => {
    await bench.start();
    bench.deaf = true;
    await bench.happen();
    await bench.pass(60_000);
    expect(sent()).toHaveLength(1);
    await answerAll();
    await bench.pass(5_000);
    await bench.addWebhook();
    await bench.happen();
    await bench.pass(60_000);
    expect(sent()).toHaveLength(3);
  });

  it('stops sending for an organization that was switched off, and continues when it is on again', async () => {
    await bench.start();
    for (let n = 0; n < 10; n += 1) await bench.happen();
    await bench.switchOrganization('off');
    await answerAll();
    await bench.pass(LEASE_MS);
    expect(sent()).toHaveLength(8);
    await bench.switchOrganization('on');
    await answerAll();
    expect(new Set(sent()).size).toBe(10);
    expect(sent()).toHaveLength(10);
  });

  describe('when an endpoint gets another address while a request waits for its answer', () => {
    const url = 'https://receiver.example/new';
    const isFailing = (since: number) =>
      bench.db.updateTable('webhooks').set({ failing_since: since }).execute();

    it('does not disable it because the old one is gone', async () => {
      await bench.start();
      await bench.happen();
      await bench.change(webhookId, { url });
      await bench.posts[0]?.answer(410);
      await bench.pass(10_000);
      await answerAll();
      expect(await endpoint()).toMatchObject({ status: 'ENABLED', failing_since: null });
      expect(bench.posts.map((post) => post.url).slice(1)).toEqual([url]);
    });

    it('does not count how long the old one has failed', async () => {
      await isFailing(1);
      await bench.start();
      await bench.happen();
      await bench.change(webhookId, { url });
      await answerAll(503);
      await bench.happen();
      await answerAll(503);
      const { status, failing_since: since } = await endpoint();
      expect(status).toBe('ENABLED');
      expect(since).toBe(bench.now());
    });
  });
});
