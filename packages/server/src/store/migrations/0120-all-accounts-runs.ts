import { type Kysely, sql } from 'kysely';

/** For listing all-accounts calls, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index all_accounts_keys_list
    on all_accounts_keys (organization_id, env_scope, created_at)`.execute(db);
}
