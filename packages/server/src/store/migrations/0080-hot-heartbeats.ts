import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/**
 * Lets a heartbeat write no index (HOT): no index contains the lease, and pages keep room for another version
 * of their rows. Lost jobs are found among the running ones, by the index of deadlines.
 * Frequently changed tables are vacuumed and analyzed after a fixed number of changes, not after a share of rows.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`drop index jobs_lease`.execute(db);
  if (dialect.name === 'sqlite') return;
  await sql`alter table jobs set (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 500,
    autovacuum_vacuum_cost_limit = 2000,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000
  )`.execute(db);
  await sql`alter table usage set (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500
  )`.execute(db);
}
