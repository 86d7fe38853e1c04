import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** People, their requests and operators' decisions, and organizations' subscriptions. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`alter table organizations add column business_number text`.execute(db);
  await sql`alter table organizations add column deleted_at bigint`.execute(db);
  await sql`create table users (
    id ${identity},
    email text unique,
    name text not null,
    phone text,
    password_hash text,
    password_epoch integer not null default 1,
    created_at bigint not null,
    deleted_at bigint,
    check ((deleted_at is null) = (email is not null)),
    check ((deleted_at is null) = (password_hash is not null))
  )`.execute(db);
  await sql`create table members (
    user_id integer primary key references users (id),
    organization_id integer not null references organizations (id),
    role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER'))
  )`.execute(db);
  await sql`create index members_organization on members (organization_id)`.execute(db);
  await sql`create table admins (
    id ${identity},
    email text not null unique,
    token_epoch integer not null default 1,
    created_at bigint not null,
    removed_at bigint
  )`.execute(db);
  await sql`create table login_attempts (
    seq ${identity},
    email_hash text not null,
    address text not null,
    at bigint not null
  )`.execute(db);
  await sql`create index login_attempts_email on login_attempts (email_hash, at)`.execute(db);
  await sql`create index login_attempts_at on login_attempts (at)`.execute(db);
  await sql`create table consents (
    id ${identity},
    organization_id integer not null references organizations (id),
    user_id integer not null references users (id),
    consent_type text not null check (consent_type in ('TERMS_OF_SERVICE', 'PRIVACY_POLICY',
      'CREDENTIAL_STORAGE', 'THIRD_PARTY_PROVISION', 'MARKETING')),
    action text not null check (action in ('GRANT', 'REVOKE')),
    recorded_at bigint not null
  )`.execute(db);
  await sql`create index consents_organization on consents (organization_id, id)`.execute(db);
  await sql`create table deletion_requests (
    id text primary key,
    user_id integer not null references users (id),
    status text not null check (status in ('PENDING', 'CANCELED', 'EXECUTED')),
    reason_text text,
    requested_at bigint not null,
    scheduled_at bigint not null,
    canceled_at bigint,
    cancel_reason text,
    executed_at bigint
  )`.execute(db);
  await sql`create unique index deletion_requests_open
    on deletion_requests (user_id) where status = 'PENDING'`.execute(db);
  await sql`create index deletion_requests_due
    on deletion_requests (scheduled_at) where status = 'PENDING'`.execute(db);
  await sql`create table env_access_requests (
    id ${identity},
    organization_id integer not null references organizations (id),
    user_id integer not null references users (id),
    reason_text text,
    status text not null check (status in ('PENDING', 'APPROVED', 'REJECTED')),
    created_at bigint not null,
    decided_at bigint,
    note text,
    check ((status = 'PENDING') = (decided_at is null))
  )`.execute(db);
  await sql`create unique index env_access_requests_open
    on env_access_requests (organization_id) where status = 'PENDING'`.execute(db);
  await sql`create table integrator_applications (
    id ${identity},
    organization_id integer not null references organizations (id),
    user_id integer not null references users (id),
    company_name text not null,
    contact_email text not null,
    use_case_text text,
    expected_customer_count integer,
    requested_plan_code text,
    reissue_reason text check (reissue_reason in ('lost_secret', 'security_incident', 'rotation')),
    revoke_client_id text,
    status text not null check (status in ('SUBMITTED', 'APPROVED', 'REJECTED')),
    submitted_at bigint not null,
    decided_at bigint,
    note text,
    check ((status = 'SUBMITTED') = (decided_at is null)),
    check ((reissue_reason is null) = (revoke_client_id is null))
  )`.execute(db);
  await sql`create index integrator_applications_organization
    on integrator_applications (organization_id, id)`.execute(db);
  await sql`create table handoff_tokens (
    token_hash text primary key,
    application_id integer not null references integrator_applications (id),
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint,
    client_id text,
    check ((used_at is null) = (client_id is null))
  )`.execute(db);
  await sql`create index handoff_tokens_application
    on handoff_tokens (application_id, created_at)`.execute(db);
  await sql`create table subscriptions (
    id ${identity},
    organization_id integer not null references organizations (id),
    plan_code text not null,
    status text not null check (status in ('ACTIVE', 'PAUSED', 'CANCELED', 'EXPIRED')),
    env_scope text not null check (env_scope in ('sandbox', 'real_test', 'production')),
    current_period_start bigint not null,
    current_period_end bigint not null,
    canceled_at bigint,
    created_at bigint not null
  )`.execute(db);
  await sql`create unique index subscriptions_open
    on subscriptions (organization_id) where status in ('ACTIVE', 'PAUSED')`.execute(db);
  await sql`create index subscriptions_period_end
    on subscriptions (current_period_end) where status = 'ACTIVE'`.execute(db);
}
