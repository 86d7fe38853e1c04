import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../packages/server/src/store/schema/tables.ts';
import { openBehindTheStore } from '../../packages/server/src/store/testing/behind-the-store.ts';
import { openEngineBench } from './engine-bench.ts';
import { count } from './verdict.ts';

const JOBS = 64;
const BEATS = 200;
const OWNER = 'bench';
const LEASE_MS = 600_000;

export interface HeartbeatCost {
  /** Share of the updates of jobs that wrote no index entry. */
  readonly 'HOT share': number;
  readonly 'WAL bytes per lease': number;
  readonly 'ms per beat of 64 jobs': number;
}

/** Repeatedly renews the leases of as many jobs as two workers hold. */
export async function heartbeatCost(url: string): Promise<HeartbeatCost> {
  const db = openBehindTheStore(url);
  const ids = await claimJobs(url);
  const before = await updatesOf(db);
  const bench = await openEngineBench(url, 1);
  const wal = () => count(db, sql`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as n`);
  const beat = () => bench.core.store.engine.heartbeat({ owner: OWNER, ids, leaseMs: LEASE_MS });
  await beat();
  const start = await wal();
  const began = performance.now();
  for (let beats = 0; beats < BEATS; beats += 1) await beat();
  const ms = (performance.now() - began) / BEATS;
  const bytes = (await wal()) - start;
  await bench.close();
  const after = await updatesOf(db);
  await db.deleteFrom('jobs').execute();
  await db.destroy();
  return {
    'HOT share': Number(((after.hot - before.hot) / (after.all - before.all)).toFixed(2)),
    'WAL bytes per lease': Math.round(bytes / (BEATS * JOBS)),
    'ms per beat of 64 jobs': Number(ms.toFixed(2)),
  };
}

async function claimJobs(url: string): Promise<string[]> {
  const bench = await openEngineBench(url, JOBS);
  for (let order = 0; order < JOBS; order += 1) await bench.submit(order);
  const slots = { pool: 'real' as const, limit: JOBS, slots: 2 * JOBS, held: [] };
  const { jobs } = await bench.core.store.engine.claim({
    ...slots,
    owner: OWNER,
    leaseMs: LEASE_MS,
  });
  await bench.close();
  if (jobs.length !== JOBS) throw new Error(`only ${jobs.length} could be claimed`);
  return jobs.map(({ id }) => id);
}

/** An idle connection reports what it did ten seconds later, but one that ends does so at once. */
async function updatesOf(db: Kysely<Database>): Promise<{ all: number; hot: number }> {
  const open = sql`select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name = 'changgu'`;
  while ((await count(db, open)) > 0) await pause(10);
  const stat = (column: string) =>
    count(db, sql`select ${sql.ref(column)} as n from pg_stat_user_tables where relname = 'jobs'`);
  return { all: await stat('n_tup_upd'), hot: await stat('n_tup_hot_upd') };
}
