import { type Kysely, sql } from 'kysely';

/** When a job first sent a credential, and until when a link and the head of its lane have to wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column credential_sent_at bigint`.execute(db);
  await sql`alter table jobs add column held_until bigint`.execute(db);
  await sql`alter table account_links add column login_not_before bigint`.execute(db);
}
