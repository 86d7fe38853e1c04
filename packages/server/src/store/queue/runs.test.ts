import { beforeAll, expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS } from '../testing/job-world.ts';

describeStores('what a run may write', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  it('is nothing once its own process runs the job a second time', async () => {
    const id = await world.submit({ organizationId: await world.organization() });
    const [first] = await world.claim('w');
    await world.loseLease(id);
    const takeOver = { owner: 'w', leaseMs: LEASE_MS, pool: 'real' as const, limit: 1 };
    const [second] = await world.store.engine.takeOver(takeOver);
    if (!first || !second) throw new Error('nothing to run');
    const { engine } = world.store;
    const late = { id, owner: 'w', attempt: first.attempt };
    const progress = { progress: 50, message: null, steps: [] };
    expect(await engine.progress({ ...late, ...progress })).toBe(false);
    expect(await engine.passPointOfNoReturn(late)).toBe('lost');
    await engine.noteRetry({ ...late, message: 'late', upstreamStatus: null });
    expect(await world.finish('w', first)).toBe(false);
    expect(await world.row(id)).toMatchObject({ status: 'RUNNING', retry_count: 1 });

    expect(await engine.passPointOfNoReturn({ ...late, attempt: second.attempt })).toBe('passed');
    expect(await world.finish('w', second)).toBe(true);
  });
});
