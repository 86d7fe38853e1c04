import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** The data of links and bank accounts, with sealed secrets. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  for (const column of [
    sql`identity text`,
    sql`credential ${bytes}`,
    sql`registered_by text`,
    sql`cert_name text`,
    sql`cert_subject_cn text`,
    sql`cert_issuer text`,
    sql`cert_serial text`,
    sql`cert_not_after bigint`,
    sql`cert_oid text`,
    sql`owner_kind text check (owner_kind in ('business', 'individual'))`,
    sql`biz_number text`,
    sql`business_name text`,
    sql`selected_assets text`,
    sql`revision integer not null default 1`,
  ]) {
    await sql`alter table account_links add column ${column}`.execute(db);
  }
  await sql`create unique index account_links_identity
    on account_links (organization_id, provider, identity) where status <> 'UNLINKED'`.execute(db);
  await sql`alter table bank_accounts add column identity text`.execute(db);
  await sql`alter table bank_accounts add column credential ${bytes}`.execute(db);
  await sql`create unique index bank_accounts_identity
    on bank_accounts (account_link_id, identity) where status <> 'UNLINKED'`.execute(db);
  await sql`create table consent_states (
    state_hash text primary key,
    organization_id integer not null references organizations (id),
    created_by text not null,
    provider text not null,
    features text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`.execute(db);
  await sql`create index consent_states_expiry on consent_states (expires_at)`.execute(db);
}
