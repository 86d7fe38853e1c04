import { beforeAll, expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';

describeStores('the depth of the queue', (stores) => {
  let world: JobWorld;
  let organizationId: number;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
  });

  async function depth(most = 100) {
    const all = await world.store.queueDepth.read({ most });
    expect(all.map(({ envScope }) => envScope)).toEqual(['sandbox', 'real_test', 'production']);
    return Object.fromEntries(all.map(({ envScope, ...numbers }) => [envScope, numbers]));
  }

  it('tells per environment what waits, what runs, and since when', async () => {
    const nothing = { queued: 0, running: 0, oldestQueuedSeconds: 0 };
    expect(await depth()).toEqual({ sandbox: nothing, real_test: nothing, production: nothing });
    await world.submit({ organizationId });
    await world.store.clock.advance({ seconds: 60 });
    await world.submit({ organizationId });
    await world.submit({ organizationId, envScope: 'sandbox' });
    const queued = await depth();
    expect(queued).toMatchObject({
      real_test: { queued: 2, running: 0 },
      sandbox: { queued: 1, running: 0 },
    });
    expect(queued.real_test?.oldestQueuedSeconds).toBeGreaterThanOrEqual(60);
    expect(queued.sandbox?.oldestQueuedSeconds).toBeLessThan(60);
    await world.claim('w', { limit: 1 });
    const claimed = await depth();
    expect(claimed.real_test).toMatchObject({ queued: 1, running: 1 });
    expect(claimed.real_test?.oldestQueuedSeconds).toBeLessThan(60);
  });

  it('tells the same per institution', async () => {
    const of = async () => {
      const all = await world.store.queueDepth.perInstitution({ most: 100 });
      return all.filter(({ envScope }) => envScope === 'production');
    };
    expect(await of()).toEqual([]);
    const before = await world.store.clock.now();
    await world.submit({ organizationId, envScope: 'production' });
    const [depth, ...others] = await of();
    expect(others).toEqual([]);
    expect(depth).toMatchObject({ queued: 1, running: 0 });
    expect(depth?.oldestQueuedAt).toBeGreaterThanOrEqual(before);
  });

  it('counts no further than asked', async () => {
    for (let n = 0; n < 2; n += 1) await world.submit({ organizationId, envScope: 'production' });
    expect((await depth(2)).production?.queued).toBe(2);
    expect((await depth(9)).production?.queued).toBe(3);
  });
});
