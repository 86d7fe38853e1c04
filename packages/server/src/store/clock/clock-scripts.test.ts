import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';

const ADVANCES = 60;

describeStores('the test clock', (stores) => {
  let world: JobWorld;
  let organizationId: number;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
  });

  it('is never read as it was before, on any connection of any process, by a claim or beside one (D133)', async () => {
    const beside = await stores.open();
    let answered = 0;
    let over = false;

    /** Claims without end; answers the claims that read an earlier time than was answered before. */
    async function claimStale(store: Store, owner: string): Promise<string[]> {
      const stale: string[] = [];
      while (!over) {
        const known = answered;
        const { jobs } = await store.engine.claim({ ...CLAIM, owner });
        stale.push(...jobs.filter((job) => job.startedAt < known).map(({ id }) => id));
        for (const job of jobs) await world.finish(owner, job);
        if ((await store.clock.now()) < known) stale.push('now');
      }
      return stale;
    }

    const claiming = [world.store, world.store, beside, beside].map((store, n) =>
      claimStale(store, `worker-${n}`),
    );
    for (let i = 0; i < ADVANCES; i += 1) {
      await Promise.all([world.submit({ organizationId }), world.submit({ organizationId })]);
      answered = await world.store.clock.advance({ seconds: 60 + i });
    }
    over = true;
    expect((await Promise.all(claiming)).flat()).toEqual([]);
  }, 30_000);

  it('keeps a job from its claim as soon as its time in the queue is over (D04)', async () => {
    for (let i = 0; i < 20; i += 1) {
      const late = await world.submit({ organizationId, queueLimitSeconds: 100 });
      const lateInSandbox = await world.submit({
        organizationId,
        envScope: 'sandbox',
        queueLimitSeconds: 100,
      });
      await world.store.clock.advance({ seconds: 101 });
      const claimed = await Promise.all([world.claim('w'), world.claim('w', { pool: 'sandbox' })]);
      const ids = claimed.flat().map(({ id }) => id);
      expect(ids).not.toContain(late);
      expect(ids).not.toContain(lateInSandbox);
    }
  });
});

const CLAIM = { leaseMs: 30_000, pool: 'real' as const, limit: 2, slots: 1_000, held: [] };
