import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedLink } from '../store/testing/seed.ts';
import { cancelJob } from './cancel.ts';
import { listJobs } from './list.ts';
import { readJob } from './read.ts';
import { openJobHarness } from './testing/job-harness.ts';
import { readTimeline } from './timeline.ts';

const code = (name: string) => expect.objectContaining({ code: name });

describeStores('reading and cancelling jobs', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('shows a job on its way (R23, R24, R25)', async () => {
    const harness = await openJobHarness(stores, store);
    const { response } = await harness.submit();
    const queued = await readJob(store, harness.access(), response.job_id);
    expect(queued).toMatchObject({
      status: 'QUEUED',
      started_at: null,
      finished_at: null,
      progress: 25,
      progress_message: expect.stringMatching(/습니다$/),
      retry_after_seconds: 3,
      error: null,
    });
    const [claimed] = await harness.claim();
    const running = await readJob(store, harness.access(), response.job_id);
    expect(running).toMatchObject({ status: 'RUNNING', progress: 30, retry_after_seconds: 2 });
    expect(running.started_at).toMatch(/\+09:00$/);
    const error = {
      code: 'PROVIDER_UPSTREAM_ERROR',
      message: '기관 응답이 올바르지 않습니다.',
      retryable: true,
      provider_error_ref: 'bank_b:E1',
      upstream_status: 502,
    };
    if (claimed) await harness.finish(claimed, { status: 'FAILED', error: JSON.stringify(error) });
    expect(await readJob(store, harness.access(), response.job_id)).toMatchObject({
      status: 'FAILED',
      progress: 100,
      progress_message: null,
      retry_after_seconds: null,
      error,
    });
  });

  it('shows how many jobs are ahead of a waiting one, down to progress 10 (D07)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    const ids: string[] = [];
    for (let i = 0; i < 18; i += 1) ids.push((await harness.submit()).response.job_id);
    const { items } = await listJobs(store, harness.access(), { limit: 100 });
    const progress = new Map(items.map((job) => [job.job_id, job.progress]));
    expect(ids.map((id) => progress.get(id))).toEqual(
      ids.map((_, before) => 25 - Math.min(15, before)),
    );
    await harness.claim();
    expect((await readJob(store, harness.access(), ids[1] ?? '')).progress).toBe(24);
  });

  it('a job is unknown outside its organization, environment and legacy key (D12, R124)', async () => {
    const harness = await openJobHarness(stores, store);
    const { response } = await harness.submit();
    const own = harness.access();
    for (const access of [
      { ...own, organizationId: own.organizationId + 1 },
      harness.access('real_test'),
      { ...own, submittedBy: 'legacy_api_key:other' },
    ]) {
      await expect(readJob(store, access, response.job_id)).rejects.toEqual(code('JOB_NOT_FOUND'));
      await expect(cancelJob(store, access, response.job_id)).rejects.toEqual(
        code('JOB_NOT_FOUND'),
      );
      await expect(readTimeline(store, access, response.job_id, 'ko')).rejects.toEqual(
        code('JOB_NOT_FOUND'),
      );
      expect((await listJobs(store, access, {})).items).toEqual([]);
    }
    const maker = { ...own, submittedBy: 'client:cli_test' };
    expect((await readJob(store, maker, response.job_id)).job_id).toBe(response.job_id);
  });

  it('charges nothing for reading (R22)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    const { response } = await harness.submit({ envScope: 'real_test' });
    const used = await harness.usedTokens('real_test');
    await readJob(store, harness.access('real_test'), response.job_id);
    await listJobs(store, harness.access('real_test'), {});
    expect(await harness.usedTokens('real_test')).toEqual(used);
  });

  it('lists each job once, newest first, even while new ones arrive (D15)', async () => {
    const harness = await openJobHarness(stores, store);
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) ids.push((await harness.submit()).response.job_id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listJobs(store, harness.access(), {
        limit: 3,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.items.map(({ job_id }) => job_id));
      cursor = page.next_cursor ?? undefined;
      await harness.submit();
    } while (cursor);
    expect(seen).toEqual(ids.toReversed());
  });

  it('scans a limited number of jobs for each filtered page, and the next page continues behind them (D15)', async () => {
    const harness = await openJobHarness(stores, store);
    const rare = [];
    for (let n = 0; n < 10; n += 1) {
      const isRare = n === 0 || n === 1 || n === 7;
      const action = isRare ? 'bank_c.accounts.list' : 'bank_b.accounts.list';
      const { response } = await harness.submit({ action });
      if (isRare) rare.unshift(response.job_id);
    }
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { provider: 'bank_c', ...(cursor === undefined ? {} : { cursor }) };
      const { items, next_cursor } = await listJobs(store, harness.access(), query, {
        lookedAt: 4,
      });
      pages.push(items.map(({ job_id }) => job_id));
      cursor = next_cursor;
    }
    expect(pages).toEqual([rare.slice(0, 1), [], rare.slice(1)]);
    const unfiltered = await listJobs(store, harness.access(), {}, { lookedAt: 4 });
    expect([unfiltered.items.length, unfiltered.next_cursor]).toEqual([10, null]);
  });

  it('the list filters, and a cursor belongs to its filters (D15)', async () => {
    const harness = await openJobHarness(stores, store);
    const link = await seedLink(stores, harness.organizationId, { provider: 'bank_c' });
    await harness.submit({ action: 'bank_c.accounts.list' });
    await harness.submit({ action: 'bank_c.accounts.list' });
    const { response } = await harness.submit();
    await cancelJob(store, harness.access(), response.job_id);
    const ids = async (query: Parameters<typeof listJobs>[2]) =>
      (await listJobs(store, harness.access(), query)).items.map(({ job_id }) => job_id);
    expect(await ids({ status: ['CANCELED', 'FAILED'] })).toEqual([response.job_id]);
    expect(await ids({ provider: 'bank_c' })).toHaveLength(2);
    expect(await ids({ account_link_id: link })).toHaveLength(2);
    // As a submission takes it.
    expect(await ids({ account_link_id: link.toUpperCase() })).toHaveLength(2);
    expect(await ids({ action: 'bank_c.accounts.list' })).toHaveLength(2);
    const { submitted_at: at } = response;
    expect(await ids({ submitted_from: at ?? '' })).toContain(response.job_id);
    expect(await ids({ submitted_before: '2000-01-01T00:00:00+09:00' })).toEqual([]);
    expect(await ids({ submitted_from: '2100-01-01T00:00:00+09:00' })).toEqual([]);
    const { next_cursor } = await listJobs(store, harness.access(), {
      provider: 'bank_c',
      limit: 1,
    });
    const cursor = next_cursor ?? '';
    expect(await ids({ provider: 'bank_c', cursor })).toHaveLength(1);
    for (const wrong of [
      { provider: 'bank_b', cursor },
      { cursor: 'nonsense' },
      { cursor: `${cursor}x` },
    ]) {
      await expect(listJobs(store, harness.access(), wrong)).rejects.toMatchObject({
        status: 400,
        details: { fields: [{ loc: ['query', 'cursor'] }] },
      });
    }
  });

  it('ends a waiting job on cancel, returns its tokens and frees its lane (D05, D06, R133)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    const real = { envScope: 'real_test' as const };
    const first = await harness.submit(real);
    const second = await harness.submit(real);
    const third = await harness.submit(real);
    const access = harness.access('real_test');
    expect(await cancelJob(store, access, second.response.job_id)).toMatchObject({
      done: true,
      job: { status: 'CANCELED', error: null, started_at: null, progress: 100 },
    });
    expect((await cancelJob(store, access, second.response.job_id)).done).toBe(true);
    await cancelJob(store, access, first.response.job_id);
    expect(Object.values(await harness.usedTokens('real_test'))).toEqual([1, 1]);
    const ready = await stores.execute(
      'select id from jobs where organization_id = ? and ready = 1',
      [harness.organizationId],
    );
    expect(ready).toEqual([{ id: third.response.job_id }]);
    expect((await readJob(store, access, second.response.job_id)).finished_at).not.toBeNull();
  });

  it('asks the worker to cancel a running job, and refuses for a finished one (D05)', async () => {
    const harness = await openJobHarness(stores, store);
    const { response } = await harness.submit();
    const [job] = await harness.claim();
    const signals: string[] = [];
    const stop = store.onSignal((signal) => signals.push(signal.kind));
    const asked = await cancelJob(store, harness.access(), response.job_id);
    await cancelJob(store, harness.access(), response.job_id);
    stop();
    expect(asked).toMatchObject({ done: false, job: { status: 'RUNNING' } });
    expect(signals.filter((kind) => kind === 'cancel')).toHaveLength(1);
    if (job) await harness.finish(job);
    await expect(cancelJob(store, harness.access(), response.job_id)).rejects.toMatchObject({
      code: 'JOB_ALREADY_FINISHED',
      status: 409,
    });
  });

  it('refuses to cancel past the point of no return (D05)', async () => {
    const harness = await openJobHarness(stores, store);
    const { response } = await harness.submit();
    const [job] = await harness.claim();
    expect(
      await store.engine.passPointOfNoReturn({
        id: job?.id ?? '',
        owner: 'test-worker',
        attempt: 0,
      }),
    ).toBe('passed');
    await expect(cancelJob(store, harness.access(), response.job_id)).rejects.toEqual(
      code('JOB_NOT_CANCELABLE'),
    );
    if (job) await harness.finish(job);
  });

  it('tells in the timeline what happened (D138)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    await harness.submit();
    const { response } = await harness.submit();
    for (const job of await harness.claim()) await harness.finish(job);
    for (const job of await harness.claim()) await harness.finish(job);
    const { events } = await readTimeline(store, harness.access(), response.job_id, 'ko');
    expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'waiting', 'claimed', 'ended']);
    expect(events[1]?.message).toBe('앞선 작업 1건');
    const english = await readTimeline(store, harness.access(), response.job_id, 'en');
    expect(english.events[1]?.message).toBe('1 job ahead');
    for (const { at } of events) expect(at).toMatch(/\+09:00$/);
  });
});
