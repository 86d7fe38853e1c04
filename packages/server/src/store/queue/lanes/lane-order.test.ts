import { beforeAll, expect, it } from 'vitest';
import { CANCELED, failed } from '../../../rules/endings/endings.ts';
import { describeStores } from '../../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS, SUCCEEDED } from '../../testing/job-world.ts';
import { NOTHING_KNOWN } from '../known-work.ts';

const DAY_SECONDS = 86_400;

describeStores('the order of jobs', (stores) => {
  let world: JobWorld;
  let organizationId: number;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  async function freshLink(): Promise<string> {
    organizationId = await world.organization();
    return world.link(organizationId);
  }

  async function claimOf(ids: readonly string[]) {
    const claimed = await world.claim('w');
    return claimed.filter(({ id }) => ids.includes(id));
  }

  it('runs the jobs of one link one after another, in the order of acceptance (R29, R86, D16)', async () => {
    const linkId = await freshLink();
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) ids.push(await world.submit({ organizationId, linkId }));
    let earlier = 0;
    for (const id of ids) {
      const [job, ...others] = await claimOf(ids);
      expect([job?.id, others]).toEqual([id, []]);
      if (!job) return;
      expect(await claimOf(ids)).toEqual([]);
      expect(job.startedAt).toBeGreaterThanOrEqual(earlier);
      const outcome =
        id === ids[1] ? failed({ code: 'INTERNAL_ERROR', irreversible: false }) : SUCCEEDED;
      expect(await world.finish('w', job, outcome)).toBe(true);
      earlier = (await world.row(id)).finished_at ?? Number.POSITIVE_INFINITY;
    }
  });

  it('runs other links, other environments and jobs without a link at the same time (R30, R31, D16)', async () => {
    const linkId = await freshLink();
    const other = await world.link(organizationId);
    const ids = [
      await world.submit({ organizationId, linkId }),
      await world.submit({ organizationId, linkId }),
      await world.submit({ organizationId, linkId: other }),
      await world.submit({ organizationId, action: 'tax_portal.s1.login' }),
      await world.submit({ organizationId, linkId, envScope: 'production' }),
    ];
    const running = (await claimOf(ids)).map(({ id }) => id);
    expect(running).toEqual([ids[0], ids[2], ids[3], ids[4]]);
  });

  it('keeps a login with a link in the order, and only one without a link outside it (D17)', async () => {
    organizationId = await world.organization();
    const linkId = await world.link(organizationId, 'tax_portal');
    const read = { organizationId, linkId, action: 'tax_portal.c1.certificates_list' };
    const login = (action: string) => world.submit({ organizationId, action });
    const ids = [
      await world.submit(read),
      // Sent without one, it resolves to the only link there is.
      await login('tax_portal.s1.login'),
      await world.submit(read),
      await login('si_edi.auth.session.login'),
      await login('si_edi.auth.session.login'),
    ];
    const [first, ...outside] = await claimOf(ids);
    expect([first?.id, ...outside.map(({ id }) => id)]).toEqual([ids[0], ids[3], ids[4]]);
    if (first) await world.finish('w', first);
    const [second, ...others] = await claimOf(ids);
    expect([second?.id, others]).toEqual([ids[1], []]);
    if (second) await world.finish('w', second);
    expect((await claimOf(ids)).map(({ id }) => id)).toEqual([ids[2]]);
  });

  it('never starts before the job before it ended, also when the database clock was set back (R29)', async () => {
    const linkId = await freshLink();
    const ids = [
      await world.submit({ organizationId, linkId }),
      await world.submit({ organizationId, linkId }),
      await world.submit({ organizationId, linkId }),
    ];
    const [first] = await claimOf(ids);
    if (!first) throw new Error('nothing to claim');
    const ahead = first.startedAt + 3_600_000;
    await world.db
      .updateTable('jobs')
      .set({ started_at: ahead })
      .where('id', '=', first.id)
      .execute();
    await world.finish('w', first);
    expect((await world.row(first.id)).finished_at).toBe(ahead);
    await world.store.jobs.cancel({
      access: { organizationId, envScope: 'real_test', submittedBy: null },
      jobId: ids[1] ?? '',
    });
    const [third] = await claimOf(ids);
    expect(third?.id).toBe(ids[2]);
    expect(third?.startedAt).toBeGreaterThanOrEqual(ahead);
  });

  it('shows start, progress and end of a job (R23, R24, R25, D06)', async () => {
    const linkId = await freshLink();
    const id = await world.submit({ organizationId, linkId });
    expect(await world.row(id)).toMatchObject({ started_at: null, finished_at: null });
    const [job] = await claimOf([id]);
    if (!job) throw new Error('nothing to claim');
    expect(await world.row(id)).toMatchObject({ status: 'RUNNING', progress: 30 });
    const show = (progress: number) =>
      world.store.engine.progress({
        id,
        owner: 'w',
        attempt: job.attempt,
        progress,
        message: '조회하고 있습니다',
        steps: [],
      });
    expect(await show(70)).toBe(true);
    expect(await show(50)).toBe(true);
    expect((await world.row(id)).progress).toBe(70);
    const error = failed({
      code: 'PROVIDER_UPSTREAM_ERROR',
      irreversible: false,
      upstreamStatus: 502,
    });
    await world.finish('w', job, error);
    const row = await world.row(id);
    expect(row).toMatchObject({ status: 'FAILED', progress: 100, progress_message: null });
    expect(JSON.parse(row.error ?? '')).toEqual({
      code: 'PROVIDER_UPSTREAM_ERROR',
      message: expect.any(String),
      retryable: true,
      provider_error_ref: null,
      upstream_status: 502,
    });
    expect(await show(90)).toBe(false);
  });

  it('never changes an end state (D01)', async () => {
    const id = await world.submit({ organizationId: await world.organization() });
    const [job] = await claimOf([id]);
    if (!job) throw new Error('nothing to claim');
    expect(await world.finish('w', job)).toBe(true);
    expect(await world.finish('w', job, CANCELED)).toBe(false);
    expect(await world.status(id)).toBe('SUCCEEDED');
  });

  it('wipes the encrypted fields of a job that ended (R131, D64)', async () => {
    organizationId = await world.organization();
    const id = await world.submit({ organizationId, encryptedFields: Buffer.from('sealed') });
    const [job] = await claimOf([id]);
    expect(Buffer.from(job?.encryptedFields ?? [])).toEqual(Buffer.from('sealed'));
    if (job) await world.finish('w', job);
    expect((await world.row(id)).encrypted_fields).toBeNull();
  });

  it('returns the tokens only of jobs that ended before they ran (R133, D38)', async () => {
    organizationId = await world.organization();
    const waiting = await world.submit({ organizationId, usageTokens: 3 });
    expect(Object.values(await world.used(organizationId))).toEqual([3, 3]);
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    await world.store.jobs.cancel({ access, jobId: waiting });
    expect(Object.values(await world.used(organizationId))).toEqual([0, 0]);
    const running = await world.submit({ organizationId, usageTokens: 2 });
    const [job] = await claimOf([running]);
    if (job) await world.finish('w', job, CANCELED);
    expect(await world.status(running)).toBe('CANCELED');
    expect(Object.values(await world.used(organizationId))).toEqual([2, 2]);
  });

  it('gives one organization at most half of the slots while others wait (D16)', async () => {
    const greedy = await world.organization();
    const modest = await world.organization();
    const submit = async (of: number, count: number) => {
      for (let i = 0; i < count; i += 1) {
        await world.submit({ organizationId: of, envScope: 'sandbox' });
      }
    };
    const claim = async (limit: number, held: [number, number][]) => {
      const jobs = await world.claim('w', { pool: 'sandbox', slots: 8, limit, held });
      const count = (of: number) => jobs.filter((job) => job.organizationId === of).length;
      return { greedy: count(greedy), modest: count(modest) };
    };
    await submit(greedy, 12);
    await submit(modest, 5);
    expect(await claim(8, [])).toEqual({ greedy: 4, modest: 4 });
    expect(
      await claim(2, [
        [greedy, 4],
        [modest, 2],
      ]),
    ).toEqual({ greedy: 1, modest: 1 });
    // No one else is waiting any more: free slots need not stay empty.
    expect(await claim(3, [[greedy, 5]])).toEqual({ greedy: 3, modest: 0 });
    await submit(modest, 1);
    expect(await claim(1, [[greedy, 7]])).toEqual({ greedy: 0, modest: 1 });
  });

  it('keeps the slots of sandbox and real jobs apart (D16)', async () => {
    organizationId = await world.organization();
    const sandbox = await world.submit({ organizationId, envScope: 'sandbox' });
    const real = await world.submit({ organizationId });
    expect((await claimOf([sandbox, real])).map(({ id }) => id)).toEqual([real]);
    const played = await world.claim('w', { pool: 'sandbox' });
    expect(played.map(({ id }) => id)).toContain(sandbox);
  });

  it('hands a lost job to another worker, twice at most, and drops the first one’s result (D03)', async () => {
    const linkId = await freshLink();
    const id = await world.submit({ organizationId, linkId });
    const [job] = await claimOf([id]);
    if (!job) throw new Error('nothing to claim');
    const takeOver = (owner: string) =>
      world.store.engine.takeOver({ owner, leaseMs: LEASE_MS, pool: 'real', limit: 100 });
    expect(await takeOver('w2')).toEqual([]);
    for (const owner of ['w2', 'w3']) {
      await world.loseLease(id);
      expect((await takeOver(owner)).map((taken) => taken.id)).toEqual([id]);
    }
    const row = await world.row(id);
    expect(row).toMatchObject({ status: 'RUNNING', started_at: job.startedAt, retry_count: 2 });
    expect(await world.finish('w', job)).toBe(false);
    await world.loseLease(id);
    expect(await takeOver('w4')).toEqual([]);
    const due = { id, lane: job.lane, irreversible: false, leaseMs: LEASE_MS };
    expect(await world.store.engine.endDue(due)).toBe(true);
    const ended = await world.row(id);
    expect(ended.status).toBe('FAILED');
    expect(JSON.parse(ended.error ?? '')).toMatchObject({
      code: 'JOB_WORKER_LOST',
      retryable: true,
    });
  });

  it('never runs a job again after its point of no return (R130, R28, D03)', async () => {
    const linkId = await freshLink();
    const id = await world.submit({ organizationId, linkId });
    const [job] = await claimOf([id]);
    if (!job) throw new Error('nothing to claim');
    const pass = (owner: string) =>
      world.store.engine.passPointOfNoReturn({ id, owner, attempt: job.attempt });
    expect(await pass('w2')).toBe('lost');
    expect(await pass('w')).toBe('passed');
    expect(await pass('w')).toBe('lost');
    await world.loseLease(id);
    const takeOver = { owner: 'w2', leaseMs: LEASE_MS, pool: 'real' as const, limit: 100 };
    expect(await world.store.engine.takeOver(takeOver)).toEqual([]);
    await expect(
      world.store.jobs.cancel({
        access: { organizationId, envScope: 'real_test', submittedBy: null },
        jobId: id,
      }),
    ).rejects.toMatchObject({ code: 'JOB_NOT_CANCELABLE' });
    const due = { id, lane: job.lane, irreversible: true, leaseMs: LEASE_MS };
    expect(await world.store.engine.endDue(due)).toBe(false);
    await world.db
      .updateTable('jobs')
      .set({ deadline_at: job.startedAt - LEASE_MS })
      .where('id', '=', id)
      .execute();
    expect(
      (await world.store.engine.findDue({ leaseMs: LEASE_MS, known: NOTHING_KNOWN })).due.map(
        (each) => each.id,
      ),
    ).toContain(id);
    expect(await world.store.engine.endDue(due)).toBe(true);
    const ended = await world.row(id);
    expect(ended.status).toBe('FAILED');
    expect(JSON.parse(ended.error ?? '')).toMatchObject({
      code: 'PROVIDER_OUTCOME_UNCONFIRMED',
      retryable: false,
    });
  });

  it('refuses the point of no return to a run that was asked to cancel or is late (D03)', async () => {
    organizationId = await world.organization();
    const canceled = await world.submit({ organizationId });
    const late = await world.submit({ organizationId });
    await claimOf([canceled, late]);
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    await world.store.jobs.cancel({ access, jobId: canceled });
    await world.db.updateTable('jobs').set({ deadline_at: 1 }).where('id', '=', late).execute();
    const pass = (id: string) =>
      world.store.engine.passPointOfNoReturn({ id, owner: 'w', attempt: 0 });
    expect([await pass(canceled), await pass(late)]).toEqual(['canceled', 'late']);
  });

  it('renews the lease by heartbeat and reports cancellations and lost jobs (D03, D05)', async () => {
    organizationId = await world.organization();
    const ids = [await world.submit({ organizationId }), await world.submit({ organizationId })];
    await claimOf(ids);
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    await world.store.jobs.cancel({ access, jobId: ids[1] ?? '' });
    await world.loseLease(ids[0] ?? '');
    const beat = { owner: 'w', ids: [...ids, 'job_gone'], leaseMs: LEASE_MS };
    const answer = await world.store.engine.heartbeat(beat);
    expect(answer.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))).toEqual([
      { id: ids[0], cancelRequested: false },
      { id: ids[1], cancelRequested: true },
    ]);
    expect((await world.row(ids[0] ?? '')).lease_until).toBeGreaterThan(Date.now());
    await world.store.engine.release({ owner: 'w', ids });
    expect((await world.row(ids[0] ?? '')).lease_until).toBe(0);
  });

  it('loses no lease over a day on the test clock (R132, D133)', async () => {
    organizationId = await world.organization();
    const id = await world.submit({ organizationId, timeoutSeconds: 2 * DAY_SECONDS });
    await claimOf([id]);
    await world.store.clock.advance({ seconds: DAY_SECONDS });
    const takeOver = { owner: 'w2', leaseMs: LEASE_MS, pool: 'real' as const, limit: 100 };
    expect((await world.store.engine.takeOver(takeOver)).map((job) => job.id)).not.toContain(id);
  });
});
