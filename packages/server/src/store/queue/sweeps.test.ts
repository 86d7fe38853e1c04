import { beforeAll, expect, it } from 'vitest';
import { createSweeper, type Sweeper } from '../../engine/sweeper.ts';
import { DAY_MS } from '../../rules/durations.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS, SUCCEEDED } from '../testing/job-world.ts';
import { knownRuns, lasting, startedSince } from './known-work.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const ISSUE = 'tax_portal.c1.business_registration';

describeStores('sweeps', (stores) => {
  let world: JobWorld;
  let sweeper: Sweeper;
  let organizationId: number;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
    sweeper = createSweeper({
      store: world.store.engine,
      breakers: world.store.breakers,
      actions: new Map([[ISSUE, { irreversible: true }]]),
      leaseMs: LEASE_MS,
      retentionMs: 30 * DAY_MS,
      eventRetentionMs: 30 * DAY_MS,
    });
  });

  async function running(options: { action?: string; timeoutSeconds?: number } = {}) {
    const id = await world.submit({ organizationId, ...options });
    const job = (await world.claim('w')).find((each) => each.id === id);
    if (!job) throw new Error('nothing to claim');
    return job;
  }

  async function errorOf(id: string): Promise<unknown> {
    return JSON.parse((await world.row(id)).error ?? 'null');
  }

  it('ends a job that waited too long, returns its tokens and promotes its lane (D04, D38)', async () => {
    const owner = await world.organization();
    const linkId = await world.link(owner);
    const first = await world.submit({ organizationId: owner, linkId });
    const last = await world.submit({
      organizationId: owner,
      linkId,
      queueLimitSeconds: 12 * HOUR,
    });
    await world.store.clock.advance({ seconds: 6 * HOUR + 1 });
    await sweeper.endDue();
    expect(await world.row(first)).toMatchObject({ status: 'TIMEOUT', started_at: null });
    expect(await errorOf(first)).toMatchObject({ code: 'JOB_TIMEOUT', retryable: true });
    expect((await world.claim('w')).map(({ id }) => id)).toContain(last);
    const used = Object.values(await world.used(owner)).reduce((sum, tokens) => sum + tokens, 0);
    expect(used).toBe(2);
  });

  it('never starts a job that waited too long, not even before the sweep that ends it (D04)', async () => {
    const late = await world.submit({ organizationId });
    const lateInSandbox = await world.submit({ organizationId, envScope: 'sandbox' });
    await world.store.clock.advance({ seconds: 6 * HOUR + 1 });
    const claimed = [...(await world.claim('w')), ...(await world.claim('w', { pool: 'sandbox' }))];
    expect(claimed.map(({ id }) => id)).not.toContain(late);
    expect(claimed.map(({ id }) => id)).not.toContain(lateInSandbox);
    await sweeper.endDue();
    expect(await world.status(late)).toBe('TIMEOUT');
  });

  it('purges by size: large files one after another, a part of one at a time', async () => {
    const [big, other] = [await running(), await running()];
    const chunks = Array.from({ length: 40 }, () => Buffer.from('x'));
    for (const job of [big, other]) {
      const file = { id: `art_${job.id}`, name: 'x.pdf', contentType: 'application/pdf' };
      const artifact = { ...file, sizeBytes: 10 << 20, sha256: '0'.repeat(64), chunks };
      const finished = { ...job, owner: 'w', outcome: SUCCEEDED, steps: [], suspension: null };
      await world.store.engine.finish({ ...finished, artifacts: [artifact] });
    }
    const count = async (table: 'jobs' | 'artifact_chunks') => {
      const column = table === 'jobs' ? 'id' : 'artifact_id';
      const rows = await world.db
        .selectFrom(table)
        .select(column)
        .where(column, 'like', `%${big.id}`)
        .execute();
      return rows.length;
    };
    await world.store.clock.advance({ seconds: 8 * DAY });
    expect(await world.store.engine.purgeArtifactBytes()).toBe(true);
    expect(await count('artifact_chunks')).toBe(8);
    expect(await world.store.engine.purgeArtifactBytes()).toBe(true);
    expect(await count('artifact_chunks')).toBe(0);

    // Kept for less than its files: they go with the job, and so by their size.
    await world.db.updateTable('artifacts').set({ bytes_removed: 0 }).execute();
    await world.store.clock.advance({ seconds: 30 * DAY });
    while ((await count('jobs')) > 0)
      expect(await world.store.engine.purgeJobs(30 * DAY_MS)).toBe(true);
    expect(await world.status(other.id)).toBe('SUCCEEDED');
  });

  it('ends a job that ran too long, never as retryable if irreversible (D04, R27)', async () => {
    const read = await running({ timeoutSeconds: 60 });
    const issue = await running({ action: ISSUE, timeoutSeconds: 60 });
    await sweeper.endDue();
    expect(await world.status(read.id)).toBe('RUNNING');
    await world.store.clock.advance({ seconds: 61 });
    await sweeper.endDue();
    expect(await world.status(read.id)).toBe('TIMEOUT');
    expect(await errorOf(read.id)).toMatchObject({ code: 'JOB_TIMEOUT', retryable: true });
    expect(await errorOf(issue.id)).toMatchObject({ code: 'JOB_TIMEOUT', retryable: false });
    expect(await world.finish('w', read)).toBe(false);
  });

  it('lets the owner finish past the point until the deadline and one lease (D03)', async () => {
    const job = await running({ action: ISSUE, timeoutSeconds: 60 });
    await world.store.engine.passPointOfNoReturn({ id: job.id, owner: 'w', attempt: 0 });
    await world.store.clock.advance({ seconds: 61 });
    await sweeper.endDue();
    expect(await world.status(job.id)).toBe('RUNNING');
    await world.store.clock.advance({ seconds: LEASE_MS / 1000 });
    await sweeper.endDue();
    expect(await world.status(job.id)).toBe('FAILED');
    expect(await errorOf(job.id)).toMatchObject({ code: 'PROVIDER_OUTCOME_UNCONFIRMED' });
  });

  it('ends the canceled job of a lost worker as CANCELED (D05)', async () => {
    const { id } = await running();
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    await world.store.jobs.cancel({ access, jobId: id });
    await world.loseLease(id);
    await sweeper.endDue();
    expect(await world.row(id)).toMatchObject({ status: 'CANCELED', error: null });
  });

  it('gives no job to another worker whose credential was sent, and spaces the logins (D165)', async () => {
    const owner = await world.organization();
    const linkId = await world.link(owner);
    const id = await world.submit({ organizationId: owner, linkId });
    await world.claim('w');
    const marked = await world.store.engine.presentCredential({ id, owner: 'w', attempt: 0 });
    expect(marked).toBe('passed');
    expect(await world.store.engine.presentCredential({ id, owner: 'w', attempt: 0 })).toBe('lost');
    await world.loseLease(id);
    const input = { owner: 'x', leaseMs: LEASE_MS, pool: 'real' as const, limit: 10 };
    const taken = await world.store.engine.takeOver(input);
    expect(taken.map((job) => job.id)).not.toContain(id);
    await sweeper.endDue();
    expect(await errorOf(id)).toMatchObject({ code: 'JOB_WORKER_LOST', retryable: true });
    const next = await world.submit({ organizationId: owner, linkId });
    expect((await world.claim('w')).map((job) => job.id)).not.toContain(next);
    await world.store.clock.advance({ seconds: 61 });
    expect((await world.claim('w')).map((job) => job.id)).toContain(next);
  });

  it('restores the head of a lane that has none', async () => {
    const owner = await world.organization();
    const linkId = await world.link(owner);
    const id = await world.submit({ organizationId: owner, linkId });
    await world.db
      .updateTable('jobs')
      .set({ ready: 0, ready_at: null })
      .where('id', '=', id)
      .execute();
    await sweeper.tidy();
    expect((await world.claim('w')).map((job) => job.id)).toContain(id);
  });

  it('removes the bytes of artifacts after 7 days and the job after 30 (D69, D14)', async () => {
    const job = await running();
    const finish = {
      id: job.id,
      owner: 'w',
      attempt: 0,
      lane: job.lane,
      organizationId,
      outcome: SUCCEEDED,
      steps: [],
      suspension: null,
      artifacts: [
        {
          id: `art_${job.id}`,
          name: '파일_20261121.pdf',
          contentType: 'application/pdf',
          sizeBytes: 2,
          sha256: '0'.repeat(64),
          chunks: [Buffer.from('a'), Buffer.from('b')],
        },
      ],
    };
    expect(await world.store.engine.finish(finish)).toBe(true);
    await world.db
      .insertInto('all_accounts_keys')
      .values({
        organization_id: organizationId,
        env_scope: 'real_test',
        idempotency_key: 'k',
        request_hash: 'h',
        created_at: job.startedAt,
      })
      .execute();
    const left = async () => {
      const count = async (table: 'jobs' | 'artifacts' | 'artifact_chunks' | 'all_accounts_keys') =>
        Number(
          (
            await world.db
              .selectFrom(table)
              .select((eb) => eb.fn.countAll().as('rows'))
              .$if(table === 'jobs', (query) => query.where('id', '=', job.id))
              .executeTakeFirstOrThrow()
          ).rows,
        );
      return [
        await count('jobs'),
        await count('artifacts'),
        await count('artifact_chunks'),
        await count('all_accounts_keys'),
      ];
    };
    await world.store.clock.advance({ seconds: 7 * DAY - 60 });
    await sweeper.tidy();
    expect(await left()).toEqual([1, 1, 2, 1]);
    await world.store.clock.advance({ seconds: 120 });
    await sweeper.tidy();
    expect(await left()).toEqual([1, 1, 0, 1]);
    const artifact = await world.db.selectFrom('artifacts').selectAll().executeTakeFirstOrThrow();
    expect(artifact).toMatchObject({ bytes_removed: 1, name: '파일_20261121.pdf' });
    await world.store.clock.advance({ seconds: 23 * DAY });
    await sweeper.tidy();
    expect(await left()).toEqual([0, 0, 0, 0]);
  });

  it('keeps an ended job as long as configured, whatever was configured when it ended (D14)', async () => {
    const keeping = (days: number) =>
      createSweeper({
        store: world.store.engine,
        breakers: world.store.breakers,
        actions: new Map(),
        leaseMs: LEASE_MS,
        retentionMs: days * DAY_MS,
        eventRetentionMs: 30 * DAY_MS,
      });
    const job = await running();
    await world.finish('w', job);
    const isKept = async () => (await world.store.jobs.find({ access, jobId: job.id })) !== null;
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    await world.store.clock.advance({ seconds: 59 * DAY });
    await keeping(60).tidy();
    expect(await isKept()).toBe(true);
    await world.store.clock.advance({ seconds: DAY + 1 });
    await keeping(61).tidy();
    expect(await isKept()).toBe(true);
    await keeping(60).tidy();
    expect(await isKept()).toBe(false);
  });
});

const NOW = 1_000_000;

it.each([
  ['begins at the oldest run that was seen', 960_000, NOW + 1_000, 960_000],
  ['leaves transactions time to commit when nothing runs', null, NOW + 1_000, 990_000],
  ['forgets what was known when the clock was set back', 960_000, NOW - 1, 0],
  ['forgets it after a pause, in which the clock may have been set back', null, NOW + 10_001, 0],
])('a search for running jobs %s', (_, oldest, now, since) => {
  expect(startedSince(knownRuns(oldest, NOW), now)).toBe(since);
});

it('a search after one that failed begins where that one would have, however long ago', () => {
  const known = lasting(knownRuns(960_000, NOW));
  expect(startedSince(known, NOW + 3_600_000)).toBe(960_000);
  expect(startedSince(known, NOW - 1)).toBe(0);
});
