import { type Kysely, sql } from 'kysely';

/** Which bank a consent is given at, and the link that it renews; an older program's states have neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table consent_states add column purpose text
    check (purpose in ('real', 'test'))`.execute(db);
  await sql`alter table consent_states add column account_link_id text`.execute(db);
}
