import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** Organizations, their links and bank accounts, as far as submitting a job needs them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`create table organizations (
    id ${identity},
    name text not null,
    created_at bigint not null,
    real_test_approved_at bigint,
    demo_ends_at bigint,
    tier text not null check (tier in ('FREE', 'PAID')),
    plan_code text not null,
    subscription_status text
      check (subscription_status in ('ACTIVE', 'PAUSED', 'CANCELED', 'EXPIRED')),
    period_started_at bigint,
    period_ends_at bigint,
    consent_blocked integer not null default 0
  )`.execute(db);
  await sql`create table account_links (
    seq ${identity},
    id text not null unique,
    organization_id integer not null references organizations (id),
    provider text not null,
    auth_type text not null check (auth_type in ('certificate', 'id_password', 'consent')),
    display_label text,
    is_primary integer not null check (is_primary in (0, 1)),
    status text not null check (status in ('ACTIVE', 'SUSPENDED', 'UNLINKED')),
    suspended_code text,
    registered_at bigint not null,
    unlinked_at bigint,
    unlink_reason text,
    check ((status = 'SUSPENDED') = (suspended_code is not null)),
    check ((status = 'UNLINKED') = (unlinked_at is not null)),
    check (is_primary = 0 or status <> 'UNLINKED')
  )`.execute(db);
  await sql`create unique index account_links_primary
    on account_links (organization_id, provider) where is_primary = 1`.execute(db);
  await sql`create index account_links_provider
    on account_links (organization_id, provider, seq) where status <> 'UNLINKED'`.execute(db);
  await sql`create table bank_accounts (
    seq ${identity},
    id text not null unique,
    account_link_id text not null references account_links (id),
    organization_id integer not null references organizations (id),
    provider text not null,
    masked_account_no text not null,
    status text not null check (status in ('ACTIVE', 'SUSPENDED', 'UNLINKED')),
    suspended_code text,
    is_default integer not null check (is_default in (0, 1)),
    registered_at bigint not null,
    unlinked_at bigint,
    check ((status = 'SUSPENDED') = (suspended_code is not null)),
    check ((status = 'UNLINKED') = (unlinked_at is not null)),
    check (is_default = 0 or status <> 'UNLINKED')
  )`.execute(db);
  await sql`create unique index bank_accounts_default
    on bank_accounts (account_link_id) where is_default = 1`.execute(db);
  await sql`create index bank_accounts_link
    on bank_accounts (account_link_id, seq) where status <> 'UNLINKED'`.execute(db);
}
