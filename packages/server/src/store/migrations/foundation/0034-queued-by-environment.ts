import { type Kysely, sql } from 'kysely';

/** Queued jobs by environment, oldest first: for the sweep, and for reading the length of the queue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index jobs_queue_deadline`.execute(db);
  await sql`create index jobs_queue_deadline on jobs (env_scope, queue_deadline_at)
    where status = 'QUEUED'`.execute(db);
}
