import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { readJob } from './read.ts';
import { runAndWait } from './run-and-wait.ts';
import { type JobHarness, openJobHarness } from './testing/job-harness.ts';
import type { JobWaits } from './wait.ts';

describeStores('a call that waits for its job', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function run(
    harness: JobHarness,
    waitForChange: JobWaits['waitForChange'],
    options: { signal?: AbortSignal; idempotencyKey?: string | null; irreversible?: true } = {},
  ) {
    const action = options.irreversible ? 'tax_portal.c1.vat_standard' : undefined;
    const { idempotencyKey: _key, ...submission } = harness.request(action && { action });
    return runAndWait(
      {
        store,
        waits: { waitForChange },
        submissions: harness.dependencies,
        results: {
          ...harness,
          receiptOf: async () => null,
          publicBaseUrl: () => 'https://changgu.example',
        },
      },
      {
        submission,
        idempotencyKey: randomUUID(),
        irreversible: false,
        signal: new AbortController().signal,
        ...options,
      },
    );
  }

  /** An application, without a key by default, which does not wait for its job. */
  function apply(harness: JobHarness, idempotencyKey: string | null = null) {
    const options = {
      idempotencyKey,
      irreversible: true,
      signal: AbortSignal.abort(),
    } as const;
    return run(harness, (access, jobId) => readJob(store, access, jobId), options);
  }

  /** As if ten more minutes had passed since every application. */
  const age = () => stores.execute('update jobs set submitted_at = submitted_at - 600000');

  it('a job slower than 30 seconds is pending, with its id and state (D83)', async () => {
    const harness = await openJobHarness(stores, store);
    const waits: number[] = [];
    const answer = await run(harness, async (access, jobId, { seconds }) => {
      waits.push(seconds);
      // The job shows something new after 20 seconds, and then nothing any more.
      vi.advanceTimersByTime(Math.min(seconds, 20) * 1_000);
      if (waits.length === 1) await harness.claim();
      return readJob(store, access, jobId);
    });
    expect(answer).toMatchObject({ kind: 'pending', replayed: false, status: 'RUNNING' });
    expect(waits).toEqual([30, 10, 0]);
    const job = await readJob(store, harness.access(), answer.jobId);
    expect(job.status).toBe('RUNNING');
  });

  it('tells of the job that it made when the store goes away while it waits (D83)', async () => {
    const harness = await openJobHarness(stores, store);
    const away = () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'));
    const unseen = await run(harness, away);
    expect(unseen).toMatchObject({ kind: 'pending', replayed: false, status: 'QUEUED' });
    expect((await readJob(store, harness.access(), unseen.jobId)).status).toBe('QUEUED');
    const ended: JobWaits['waitForChange'] = async (access, jobId) => {
      for (const job of await harness.claim()) await harness.finish(job, { data: {} });
      harness.vault.open = away;
      return readJob(store, access, jobId);
    };
    expect(await run(harness, ended)).toMatchObject({ kind: 'pending', status: 'QUEUED' });
  });

  it('stops waiting for a caller that is gone (D83)', async () => {
    const harness = await openJobHarness(stores, store);
    const look: JobWaits['waitForChange'] = (access, jobId) => readJob(store, access, jobId);
    const answer = await run(harness, look, { signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ kind: 'pending', status: 'QUEUED' });
  });

  it('a purged application does not make room for one that another has followed (D83)', async () => {
    const harness = await openJobHarness(stores, store);
    const first = await apply(harness);
    await expect(apply(harness)).rejects.toMatchObject({ details: { jobId: first.jobId } });
    await age();
    const second = await apply(harness);
    expect(second.jobId).not.toBe(first.jobId);
    await stores.execute('delete from jobs where id = ?', [first.jobId]);
    await expect(apply(harness)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
      details: { jobId: second.jobId },
    });
    expect(await harness.countJobs()).toBe(1);
  });

  it('without a key, an application that was made with one is not made again (D83)', async () => {
    const harness = await openJobHarness(stores, store);
    const failed = await apply(harness, 'one');
    const [job] = await harness.claim();
    if (job) await harness.finish(job, { status: 'FAILED', error: '{"code":"AUTH_REQUIRED"}' });
    const made = await apply(harness, 'two');
    expect(made.jobId).not.toBe(failed.jobId);
    await expect(apply(harness)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
      details: { jobId: made.jobId },
    });
    expect((await apply(harness, 'three')).replayed).toBe(false);
    await age();
    expect((await apply(harness)).replayed).toBe(false);
  });

  it('of identical applications at the same instant one is made (D83)', async () => {
    const harness = await openJobHarness(stores, store);
    for (const jobs of [1, 2]) {
      const answers = await Promise.allSettled(Array.from({ length: 4 }, () => apply(harness)));
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await harness.countJobs()).toBe(jobs);
      await age();
    }
  });
});
