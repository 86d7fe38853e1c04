import { ENV_SCOPES } from '@changgu/contract';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../schema/tables.ts';
import { allAccountsScripts } from '../submission/all-accounts.ts';
import { readCallRows, readLineRows } from '../submission/all-accounts-rows.ts';
import { readSubmissionRows } from '../submission/submission-rows.ts';
import { openBehindTheStore, transactionBehind } from '../testing/behind-the-store.ts';
import { copyJob } from '../testing/bulk-jobs.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, LEASE_MS, SUCCEEDED } from '../testing/job-world.ts';
import { ALL_JOBS } from '../testing/no-filter.ts';
import type { Transaction } from '../transactions/script.ts';
import { claimScripts } from './claims.ts';
import { endQueuedOfLanes } from './end-jobs.ts';
import { findJob, jobReadScripts } from './job-reads.ts';
import { NOTHING_KNOWN } from './known-work.ts';
import { laneOf, lockLanes, lockLanesOfLink } from './lanes/lane-lock.ts';
import { promoteNext } from './lanes/promote-next.ts';
import { purgeScripts } from './purges.ts';
import { queueDepthScripts } from './queue-depth.ts';
import { runScripts } from './runs.ts';
import { sweepScripts } from './sweeps.ts';

const CLAIM = {
  owner: 'w',
  leaseMs: LEASE_MS,
  pool: 'real' as const,
  limit: 4,
  slots: 4,
  held: [],
};

describeStores('the statements of the queue', (stores) => {
  const sent: CompiledQuery[] = [];
  let db: Kysely<Database>;
  let tx: Transaction;

  beforeAll(async () => {
    const world = await createJobWorld(stores);
    const organizationId = await world.organization();
    const other = await world.organization();
    await world.submit({ organizationId: other });
    const id = await world.submit({ organizationId });
    const { dialect } = stores;
    await copyJob(world.db, dialect, { id, tag: 'hot', lanes: 1, perLane: 4_000 });
    await copyJob(world.db, dialect, { id, tag: 'many', lanes: 1_000, perLane: 4 });

    db = openBehindTheStore(await stores.url(), (statement) => sent.push(statement));
    tx = transactionBehind(db, dialect);
  });
  afterAll(() => db.destroy());

  async function explained(run: () => Promise<unknown>): Promise<string[]> {
    sent.length = 0;
    await run();
    const statements = sent.filter(
      (each) => /\bjobs\b/.test(each.sql) && !each.sql.startsWith('insert'),
    );
    const plans: string[] = [];
    for (const statement of statements) plans.push(await plan(statement));
    return plans;
  }

  async function plan(statement: CompiledQuery): Promise<string> {
    if (stores.dialect === 'sqlite') {
      const { rows } = await db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters]),
      );
      return rows.map(({ detail }) => detail).join('\n');
    }
    // As a named statement after its fifth run: planned without knowing the values.
    const literal = (value: unknown) =>
      Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`;
    const values = statement.parameters.map(literal).join(', ');
    await sql.raw(`set plan_cache_mode = force_generic_plan`).execute(db);
    await sql.raw(`prepare explained as ${statement.sql}`).execute(db);
    const { rows } = await sql
      .raw<Record<string, string>>(`explain execute explained ${values && `(${values})`}`)
      .execute(db);
    await sql.raw('deallocate explained').execute(db);
    return rows.map((row) => row['QUERY PLAN'] ?? '').join('\n');
  }

  function expectIndexed(plans: readonly string[], ...indexes: string[]): void {
    expect(plans.length).toBeGreaterThan(0);
    for (const text of plans) {
      expect(text).not.toMatch(/Seq Scan on jobs/);
      expect(text).not.toMatch(/SCAN jobs(?! USING (COVERING )?INDEX)/);
      // The index is there, but it would read what others queued before. Where two other tables are joined, PostgreSQL
      // before 18 names the organization that both were already found by.
      expect(text).not.toMatch(/^ *Filter: .*organization_id [<=>]/m);
      expect(text).not.toMatch(/Join Filter: .*\bjobs\.organization_id [<=>]/);
    }
    for (const index of indexes) expect(plans.join('\n')).toContain(index);
  }

  it('claims by the index of ready jobs, and of each organization when one holds its share', async () => {
    const plans = await explained(() => claimScripts.claim.run(tx, CLAIM));
    expectIndexed(plans, 'jobs_claim_real', 'jobs_fair_real');
    if (stores.dialect === 'postgres') expectIndexed(plans, 'jobs_ready_real');
    const sandbox = { ...CLAIM, pool: 'sandbox' as const };
    expectIndexed(await explained(() => claimScripts.claim.run(tx, sandbox)), 'jobs_claim_sandbox');
  });

  it.runIf(stores.dialect === 'postgres')(
    'claims for a worker that knows where to look with one statement',
    async () => {
      const { claim } = claimScripts;
      const many = { ...CLAIM, slots: 100, from: 1 };
      const claimed = () => claim.atOnce?.(tx, many) ?? Promise.reject(new Error('no statement'));
      const plans = await explained(claimed);
      expect(plans).toHaveLength(1);
      expectIndexed(plans, 'jobs_claim_real', 'jobs_pkey');
      expect(plans[0]).not.toMatch(/Sort/);
      const full = { ...many, held: [[1, 50]] as const };
      sent.length = 0;
      expect([await claim.atOnce?.(tx, CLAIM), await claim.atOnce?.(tx, full)]).toEqual([
        null,
        null,
      ]);
      expect(sent).toEqual([]);
    },
  );

  it('steps over what an open breaker holds back', async () => {
    await stores.execute(
      "insert into breakers (provider, env_scope, failures, open_until) values ('bank_a', 'real_test', '[]', 1)",
    );
    const plans = await explained(() => claimScripts.claim.run(tx, CLAIM));
    expectIndexed(plans, 'jobs_claim_institution');
    for (const text of plans) expect(text).not.toMatch(/Filter: .*breakers/);
    // None is ready, what other institutions offer, and the claim itself.
    const fair = { ...CLAIM, slots: 100, from: 1 };
    const [, offered, ...rest] = await explained(() => claimScripts.claim.run(tx, fair));
    expect(rest).toHaveLength(1);
    // Else PostgreSQL may look at what is held back first, and locks what it looks at.
    expect(offered).toMatch(/CTE admitted|MATERIALIZE admitted/);
    await stores.execute('delete from breakers');
  });

  it('promotes by the index of the lane', async () => {
    const holders = stores.dialect === 'postgres' ? 'jobs_turn' : 'jobs_lane_slot';
    expectIndexed(await explained(() => promoteNext(tx, 'hot-1')), 'jobs_lane', holders);
  });

  it.runIf(stores.dialect === 'postgres')(
    'ends runs, and promotes those behind them, with one statement for all of each kind',
    async () => {
      const lanes = ['hot-1', 'many-1', 'many-2'];
      const inputs = lanes.map((lane) => ({
        id: `job of ${lane}`,
        lane,
        owner: 'w',
        attempt: 0,
        organizationId: 1,
        outcome: SUCCEEDED,
        artifacts: [],
        steps: [],
        suspension: null,
      }));
      const plans = await explained(
        () =>
          runScripts.finish.together?.(tx, inputs) ??
          Promise.reject(new Error('ends do not go together')),
      );
      expect(plans).toHaveLength(2);
      expectIndexed(plans, 'jobs_id_key', 'jobs_lane', 'jobs_turn');
      // A plan for many lanes may read the heads of all, with the dead ones that a snapshot keeps.
      expect(plans.join('\n')).not.toMatch(/Anti Join|Bitmap/);
    },
  );

  it('ends all that waits in a lane under one lock', async () => {
    const canceled = {
      status: 'CANCELED',
      error: null,
      result: null,
      resultAsFile: false,
    } as const;
    // The copies were never charged, and their ends return tokens.
    await stores.execute('update usage set used = 1000');
    sent.length = 0;
    expect(await endQueuedOfLanes(tx, ['hot-1'], canceled, 3)).toBe(true);
    const locks = sent.filter((each) => each.sql.includes('pg_advisory_xact_lock'));
    expect(locks).toHaveLength(stores.dialect === 'postgres' ? 1 : 0);
  });

  it.runIf(stores.dialect === 'postgres')(
    'locks the lanes of a link in the order in which everyone locks lanes, so that no two wait in a circle (R134)',
    async () => {
      sent.length = 0;
      await lockLanesOfLink(tx, 'link');
      const lanes = ENV_SCOPES.map((envScope) => laneOf('link', envScope));
      for (const each of [lanes, lanes.toReversed()]) await lockLanes(tx, new Set(each));
      const orders = new Set(sent.map(({ parameters }) => parameters[0]));
      expect(orders.size).toBe(1);
    },
  );

  it('lets no index hold what a running job changes, so that a heartbeat rewrites none', async () => {
    const indexes = await stores.execute(
      stores.dialect === 'sqlite'
        ? "select sql as definition from sqlite_master where type = 'index' and tbl_name = 'jobs'"
        : "select indexdef as definition from pg_indexes where tablename = 'jobs'",
    );
    expect(indexes.length).toBeGreaterThan(8);
    for (const { definition } of indexes) {
      expect(String(definition)).not.toMatch(
        /lease_|progress|retry_count|submit_step_at|credential_sent/,
      );
    }
  });

  it('accepts, reads and lists by the indexes of key, lane and organization', async () => {
    const [job] = await stores.execute(
      "select id, lane, organization_id from jobs where lane like 'hot%' order by seq desc limit 1",
    );
    const organizationId = Number(job?.organization_id);
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    const query = {
      ...access,
      laneScope: access.envScope,
      operation: 'submit' as const,
      idempotencyKey: 'k',
      idempotencyAccount: '',
      provider: 'bank_b',
      accountLinkId: null,
      selectsAccount: true,
      namedAccountId: null,
      plans: {},
    };
    expectIndexed(await explained(() => readSubmissionRows(tx, query)), 'jobs_key');
    const find = async () => findJob(tx, access, String(job?.id));
    expect((await explained(find)).join('\n')).toMatch(/jobs_lane\b/);
    const list = () => jobReadScripts.list.run(tx, { ...ALL_JOBS, access, limit: 20 });
    // PostgreSQL may walk the primary key where one organization has most of the rows, as here.
    expect((await explained(list)).join('\n')).toMatch(/jobs_list|Backward using jobs_pkey/);
  });

  it('finds an application that is made again by the index of those alone (D83)', async () => {
    const access = { organizationId: 1, envScope: 'real_test', submittedBy: null } as const;
    const look = { access, identityHash: 'x', withinMs: 600_000 };
    const plans = await explained(() => jobReadScripts.equalApplications.run(tx, look));
    expectIndexed(plans, 'jobs_application');
  });

  it('reads an all-accounts call by the indexes of key and product (D136)', async () => {
    const [job] = await stores.execute(
      "select organization_id from jobs where lane like 'hot%' limit 1",
    );
    const query = {
      organizationId: Number(job?.organization_id),
      envScope: 'real_test' as const,
      provider: 'bank_b',
      action: 'bank_b.accounts.list',
      idempotencyKey: 'k',
      requestHash: '',
      accountLinkId: null,
      linkPurpose: 'test' as const,
      accountIds: ['a', 'b'],
      plans: {},
      cap: 10,
      capWindowSeconds: 600,
    };
    const rows = await explained(() => readCallRows(tx, query));
    expectIndexed(rows, 'jobs_product', 'jobs_key');
    const lines = await explained(() => readLineRows(tx, query, query.accountIds));
    expectIndexed(lines, 'jobs_product', 'jobs_key');
    const jobs = await explained(() => allAccountsScripts.jobsOfKey.run(tx, query));
    expectIndexed(jobs, 'jobs_key');
  });

  it('looks for stalled lanes in few lanes at a time, so that no other statement waits', async () => {
    const first = await sweepScripts.findStalledLanes.run(tx, { after: '' });
    const { next } = await sweepScripts.findStalledLanes.run(tx, { after: first.next ?? '' });
    const lanes = `select count(distinct lane) as n from jobs
      where ready = 0 and status = 'QUEUED' and lane > ? and lane <= ?`;
    const [looked] = await stores.execute(lanes, [first.next, next]);
    expect(Number(looked?.n)).toBe(20);
  });

  it('sweeps by the indexes of deadlines and lanes', async () => {
    const { findDue, findStalledLanes } = sweepScripts;
    expectIndexed(
      await explained(() => findDue.run(tx, { leaseMs: LEASE_MS, known: NOTHING_KNOWN })),
      'jobs_queue_deadline',
      'jobs_running',
    );
    expectIndexed(
      await explained(() => queueDepthScripts.read.run(tx, { most: 100 })),
      'jobs_queue_deadline',
    );
    expectIndexed(
      await explained(() => queueDepthScripts.perInstitution.run(tx, { most: 100 })),
      'jobs_queue_deadline',
    );
    expectIndexed(await explained(() => findStalledLanes.run(tx, { after: '' })), 'jobs_lane');
    expectIndexed(await explained(() => claimScripts.takeOver.run(tx, CLAIM)), 'jobs_running');
    expectIndexed(await explained(() => purgeScripts.purgeJobs.run(tx, 0)), 'jobs_purge');
  });
});
