import { type Kysely, sql } from 'kysely';

/** Finds an application that is made again, whatever key made the first one. No other job is in this index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index jobs_application
    on jobs (organization_id, env_scope, identity_hash, submitted_at)
    where provider = 'tax_portal'`.execute(db);
}
