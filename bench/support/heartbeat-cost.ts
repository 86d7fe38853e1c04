import { sql } from 'kysely';
import { openEngineBench } from './engine-bench.ts';
import { count } from './verdict.ts';

const JOBS = 64;
const BEATS = 200;

export interface HeartbeatCost {
  /** Share of the updates of jobs that wrote no index entry. */
  readonly 'HOT share': number;
  readonly 'WAL bytes per lease': number;
  readonly 'ms per beat of 64 jobs': number;
}

/** Repeatedly renews the leases of as many jobs as two workers hold. */
export async function heartbeatCost(url: string): Promise<HeartbeatCost> {
  const bench = await openEngineBench(url, JOBS);
  const { engine } = bench.core.store;
  for (let order = 0; order < JOBS; order += 1) await bench.submit(order);
  const owner = 'bench';
  const leaseMs = 600_000;
  const slots = { pool: 'real' as const, limit: JOBS, slots: 2 * JOBS, held: [] };
  const ids = (await engine.claim({ ...slots, owner, leaseMs })).jobs.map(({ id }) => id);
  if (ids.length !== JOBS) throw new Error(`only ${ids.length} could be claimed`);
  const flush = () => sql`select pg_stat_force_next_flush(), pg_sleep(1.2)`.execute(bench.db);
  const updates = async (column: string) =>
    count(
      bench.db,
      sql`select ${sql.ref(column)} as n from pg_stat_user_tables where relname = 'jobs'`,
    );
  const wal = () => count(bench.db, sql`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as n`);
  await engine.heartbeat({ owner, ids, leaseMs });
  await flush();
  const before = [await updates('n_tup_upd'), await updates('n_tup_hot_upd'), await wal()] as const;
  const began = performance.now();
  for (let beat = 0; beat < BEATS; beat += 1) await engine.heartbeat({ owner, ids, leaseMs });
  const ms = (performance.now() - began) / BEATS;
  const bytes = (await wal()) - before[2];
  await engine.heartbeat({ owner, ids, leaseMs });
  await flush();
  const all = (await updates('n_tup_upd')) - before[0];
  const hot = (await updates('n_tup_hot_upd')) - before[1];
  await bench.db.deleteFrom('jobs').execute();
  await bench.close();
  return {
    'HOT share': Number((hot / all).toFixed(2)),
    'WAL bytes per lease': Math.round(bytes / (BEATS * JOBS)),
    'ms per beat of 64 jobs': Number(ms.toFixed(2)),
  };
}
