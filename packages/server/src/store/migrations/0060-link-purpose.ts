import { type Kysely, sql } from 'kysely';

/**
 * Links are for real accounts or for tests; each purpose has its own identities and primary.
 * Older links get a purpose when the server starts, because only it knows its addresses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account_links add column purpose text
    check (purpose in ('real', 'test'))`.execute(db);
  await sql`drop index account_links_primary`.execute(db);
  await sql`create unique index account_links_primary
    on account_links (organization_id, provider, coalesce(purpose, '')) where is_primary = 1`.execute(
    db,
  );
  await sql`drop index account_links_identity`.execute(db);
  await sql`create unique index account_links_identity
    on account_links (organization_id, provider, identity, coalesce(purpose, ''))
    where status <> 'UNLINKED'`.execute(db);
}
