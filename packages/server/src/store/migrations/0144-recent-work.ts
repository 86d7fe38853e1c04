import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/**
 * Running jobs by their start, and on PostgreSQL ready ones by the time at which they became ready. A worker that
 * looks for all of them begins at the oldest that it knows of, behind the dead rows of those before.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`create index jobs_running on jobs (started_at) where status = 'RUNNING'`.execute(db);
  await sql`drop index jobs_deadline`.execute(db);
  if (dialect.name === 'sqlite') return;
  for (const [pool, isOfPool] of [
    ['real', "env_scope <> 'sandbox'"],
    ['sandbox', "env_scope = 'sandbox'"],
  ]) {
    // No condition of a claim fits this, which would otherwise read by it and sort.
    const readyAt = `(case when ready = 1 and ${isOfPool} then ready_at end)`;
    await sql
      .raw(`create index jobs_ready_${pool} on jobs (${readyAt}) where ${readyAt} is not null`)
      .execute(db);
  }
}
