import { type Kysely, sql } from 'kysely';

/**
 * Ready jobs by institution, oldest first and oldest of each organization, so that a claim can skip
 * everything that an open breaker holds back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index jobs_claim_institution on jobs (provider, env_scope, seq)
    where ready = 1 and env_scope <> 'sandbox'`.execute(db);
  await sql`drop index jobs_fair_real`.execute(db);
  await sql`create index jobs_fair_real on jobs (provider, env_scope, organization_id, seq)
    where ready = 1 and env_scope <> 'sandbox'`.execute(db);
}
