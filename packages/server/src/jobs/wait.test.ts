import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { cancelJob } from './cancel.ts';
import { openJobHarness, TEST_WORKER } from './testing/job-harness.ts';
import { createJobWaits, type JobWaits } from './wait.ts';

const TAKE_OVER = {
  owner: 'another',
  leaseMs: 30_000,
  pool: 'sandbox',
  limit: 100,
  slots: 200,
  held: [],
} as const;

/** Waits for a job's change, and tells when the first look at it is over: what changes later is news. */
function watchedWaits(store: Store): JobWaits & { readonly looked: () => Promise<void> } {
  let look = Promise.withResolvers<void>();
  const find: Store['jobs']['find'] = async (input) => {
    const found = await store.jobs.find(input);
    look.resolve();
    return found;
  };
  const waits = createJobWaits({ onSignal: store.onSignal, jobs: { ...store.jobs, find } });
  return {
    ...waits,
    looked: () => look.promise,
    waitForChange(...call) {
      look = Promise.withResolvers<void>();
      return waits.waitForChange(...call);
    },
  };
}

describeStores('Prefer: wait', (stores) => {
  let here: Store;
  let there: Store;

  beforeAll(async () => {
    here = await stores.open();
    there = await stores.open();
  });

  it('answers when the job changes, in this process and another (D137)', async () => {
    const harness = await openJobHarness(stores, here);
    for (const store of [here, there]) {
      const waits = watchedWaits(store);
      const { response } = await harness.submit();
      const waiting = waits.waitForChange(harness.access(), response.job_id, { seconds: 30 });
      await waits.looked();
      await cancelJob(here, harness.access(), response.job_id);
      expect((await waiting).status).toBe('CANCELED');
      waits.close();
    }
  });

  it('answers when the job is claimed (D137)', async () => {
    const harness = await openJobHarness(stores, here);
    const waits = watchedWaits(here);
    const { response } = await harness.submit();
    const waiting = waits.waitForChange(harness.access(), response.job_id, { seconds: 30 });
    await waits.looked();
    const [job] = await harness.claim();
    expect((await waiting).status).toBe('RUNNING');
    expect(job?.id).toBe(response.job_id);
    waits.close();
  });

  it('answers when an attempt is repeated, and when another worker takes the job over (D137)', async () => {
    const harness = await openJobHarness(stores, here);
    const waits = watchedWaits(here);
    const { response } = await harness.submit();
    const [job] = await harness.claim();
    const id = job?.id ?? '';
    const wait = () => waits.waitForChange(harness.access(), id, { seconds: 30 });
    const started = performance.now();
    const repeated = wait();
    await waits.looked();
    await here.engine.noteRetry({
      id,
      owner: TEST_WORKER,
      attempt: 0,
      message: 'PROVIDER_UPSTREAM_ERROR',
      upstreamStatus: 502,
    });
    expect(await repeated).toMatchObject({ job_id: response.job_id, retry_count: 1 });
    const takenOver = wait();
    await waits.looked();
    await here.engine.release({ owner: TEST_WORKER, ids: [id] });
    await here.engine.takeOver(TAKE_OVER);
    expect(await takenOver).toMatchObject({ status: 'RUNNING', retry_count: 2 });
    expect(performance.now() - started).toBeLessThan(4_000);
    waits.close();
  });

  it('answers at once when the job has ended, and after the time when nothing happens (D137)', async () => {
    const harness = await openJobHarness(stores, here);
    const waits = createJobWaits(here);
    const { response } = await harness.submit();
    const asItIs = await waits.waitForChange(harness.access(), response.job_id, { seconds: 0.01 });
    expect(asItIs.status).toBe('QUEUED');
    await cancelJob(here, harness.access(), response.job_id);
    const ended = await waits.waitForChange(harness.access(), response.job_id, { seconds: 30 });
    expect(ended.status).toBe('CANCELED');
    waits.close();
  });

  it('answers when the caller is gone, and 404 for what it may not see (D137)', async () => {
    const harness = await openJobHarness(stores, here);
    const waits = createJobWaits(here);
    const { response } = await harness.submit();
    const caller = new AbortController();
    const waiting = waits.waitForChange(harness.access(), response.job_id, {
      seconds: 30,
      signal: caller.signal,
    });
    caller.abort();
    expect((await waiting).status).toBe('QUEUED');
    await expect(
      waits.waitForChange(harness.access('real_test'), response.job_id, { seconds: 30 }),
    ).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    waits.close();
  });
});
