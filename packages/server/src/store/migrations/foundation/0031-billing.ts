import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** Invoices, whose sums the database checks, and the recipients of invoices outside the payment provider. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`create table invoices (
    id ${identity},
    organization_id bigint not null references organizations (id),
    subscription_id bigint references subscriptions (id),
    env_scope text not null check (env_scope in ('sandbox', 'real_test', 'production')),
    invoice_number text not null unique,
    status text not null check (status in
      ('DRAFT', 'OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE', 'REFUNDED', 'PARTIALLY_REFUNDED')),
    subtotal_amount bigint not null check (subtotal_amount >= 0),
    tax_amount bigint not null check (tax_amount >= 0),
    total_amount bigint not null,
    refunded_amount bigint not null default 0,
    period_start bigint,
    period_end bigint,
    issued_at bigint,
    due_at bigint,
    paid_at bigint,
    voided_at bigint,
    usage_month text,
    created_at bigint not null,
    check (total_amount = subtotal_amount + tax_amount),
    check (refunded_amount between 0 and total_amount),
    check (status <> 'DRAFT' or issued_at is null),
    check ((status = 'VOID') = (voided_at is not null)),
    check (status not in ('PAID', 'REFUNDED', 'PARTIALLY_REFUNDED') or paid_at is not null)
  )`.execute(db);
  await sql`create index invoices_list
    on invoices (organization_id, env_scope, created_at, id)`.execute(db);
  // Drafting a month twice bills it once because of this index.
  await sql`create unique index invoices_usage on invoices (organization_id, env_scope, usage_month)
    where usage_month is not null and status <> 'VOID'`.execute(db);
  await sql`create table invoice_items (
    id ${identity},
    invoice_id bigint not null references invoices (id) on delete cascade,
    description text not null,
    quantity bigint not null check (quantity >= 0),
    unit_amount bigint not null check (unit_amount >= 0),
    amount bigint not null,
    item_kind text not null check (item_kind in
      ('SUBSCRIPTION', 'USAGE', 'ONE_TIME', 'DISCOUNT', 'TAX_ADJUSTMENT')),
    period_start bigint,
    period_end bigint,
    check (amount = quantity * unit_amount)
  )`.execute(db);
  await sql`create index invoice_items_invoice on invoice_items (invoice_id)`.execute(db);
  await sql`create table offline_profiles (
    organization_id bigint not null references organizations (id),
    env_scope text not null check (env_scope in ('sandbox', 'real_test', 'production')),
    company_name text not null,
    business_number text not null,
    tax_email text not null,
    payment_terms_days integer not null check (payment_terms_days between 0 and 365),
    updated_at bigint not null,
    primary key (organization_id, env_scope)
  )`.execute(db);
}
