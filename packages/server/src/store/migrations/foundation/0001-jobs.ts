import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** Jobs, their order, their quota and their files. The jobs table is the queue. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`create table settings (name text primary key, value text not null)`.execute(db);
  await sql`create table jobs (
    seq ${identity},
    id text not null unique,
    organization_id integer not null,
    env_scope text not null check (env_scope in ('sandbox', 'real_test', 'production')),
    operation text not null check (operation in ('submit', 'all_accounts')),
    idempotency_key text not null,
    idempotency_account text not null,
    submitted_by text not null,
    provider text not null,
    action text not null,
    result_schema text not null,
    product_version_id integer,
    account_link_id text,
    bank_account_credential_id text,
    lane text,
    params text not null,
    encrypted_fields ${bytes},
    duplicate_fields text,
    identity_hash text not null,
    identity_hash_without_link text not null,
    link_was_omitted integer not null,
    sandbox_outcome text,
    trace_context text,
    status text not null
      check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELED')),
    ready integer not null check (ready in (0, 1)),
    ready_at bigint,
    waited_behind integer not null default 0,
    progress integer not null,
    progress_message text,
    retry_count integer not null default 0,
    takeovers integer not null default 0,
    cancel_requested integer not null default 0,
    submit_step_at bigint,
    lease_owner text,
    lease_until bigint,
    timeout_seconds integer not null,
    queue_deadline_at bigint not null,
    deadline_at bigint,
    usage_tokens integer not null check (usage_tokens >= 0),
    charged_periods text not null,
    submitted_at bigint not null,
    started_at bigint,
    finished_at bigint,
    error text,
    result ${bytes},
    result_as_file integer not null default 0,
    purge_at bigint,
    check (ready = 0 or status = 'QUEUED'),
    check ((status = 'RUNNING') = (lease_owner is not null)),
    check ((finished_at is null) = (status in ('QUEUED', 'RUNNING'))),
    check (finished_at is null or encrypted_fields is null),
    check (error is null or status in ('FAILED', 'TIMEOUT'))
  )`.execute(db);
  await sql`create unique index jobs_key
    on jobs (organization_id, env_scope, operation, idempotency_key, idempotency_account)`.execute(
    db,
  );
  await sql`create unique index jobs_lane_slot on jobs (lane) where ready = 1 or status = 'RUNNING'`.execute(
    db,
  );
  // Sandbox jobs have their own slots and may be queued by the thousand, so each pool has its own
  // pair of indexes: oldest first, and oldest of each organization. SQLite's planner prefers indexes
  // that cover the statement; PostgreSQL's would choose the primary key instead.
  const oldestFirst = sql.raw(dialect.name === 'sqlite' ? 'seq, organization_id' : 'seq');
  await sql`create index jobs_claim_real on jobs (${oldestFirst})
    where ready = 1 and env_scope <> 'sandbox'`.execute(db);
  await sql`create index jobs_claim_sandbox on jobs (${oldestFirst})
    where ready = 1 and env_scope = 'sandbox'`.execute(db);
  await sql`create index jobs_fair_real on jobs (organization_id, seq)
    where ready = 1 and env_scope <> 'sandbox'`.execute(db);
  await sql`create index jobs_fair_sandbox on jobs (organization_id, seq)
    where ready = 1 and env_scope = 'sandbox'`.execute(db);
  await sql`create index jobs_lane on jobs (lane, seq) where status = 'QUEUED' and ready = 0`.execute(
    db,
  );
  await sql`create index jobs_lease on jobs (lease_until) where status = 'RUNNING'`.execute(db);
  await sql`create index jobs_deadline on jobs (deadline_at) where status = 'RUNNING'`.execute(db);
  await sql`create index jobs_queue_deadline on jobs (queue_deadline_at) where status = 'QUEUED'`.execute(
    db,
  );
  await sql`create index jobs_purge on jobs (purge_at) where purge_at is not null`.execute(db);
  await sql`create index jobs_list on jobs (organization_id, env_scope, seq)`.execute(db);
  await sql`create index jobs_product on jobs (organization_id, env_scope, action, submitted_at)
    where status in ('QUEUED', 'RUNNING')`.execute(db);
  await sql`create table job_events (
    seq ${identity},
    job_id text not null references jobs (id) on delete cascade,
    at bigint not null,
    kind text not null,
    message text,
    duration_ms integer,
    upstream_status integer
  )`.execute(db);
  await sql`create index job_events_job on job_events (job_id, seq)`.execute(db);
  await sql`create table usage (
    organization_id integer not null,
    env_scope text not null,
    period text not null,
    used integer not null check (used >= 0),
    primary key (organization_id, env_scope, period)
  )`.execute(db);
  await sql`create table all_accounts_keys (
    organization_id integer not null,
    env_scope text not null,
    idempotency_key text not null,
    request_hash text not null,
    created_at bigint not null,
    primary key (organization_id, env_scope, idempotency_key)
  )`.execute(db);
  await sql`create index all_accounts_keys_age on all_accounts_keys (created_at)`.execute(db);
  await sql`create table breakers (
    provider text not null,
    env_scope text not null check (env_scope in ('real_test', 'production')),
    failures text not null,
    open_until bigint,
    trial_job_id text,
    primary key (provider, env_scope)
  )`.execute(db);
  await sql`create table artifacts (
    id text primary key,
    job_id text not null references jobs (id) on delete cascade,
    organization_id integer not null,
    name text not null,
    content_type text not null,
    size_bytes integer not null check (size_bytes >= 0),
    sha256 text not null,
    chunk_count integer not null,
    created_at bigint not null,
    expires_at bigint not null,
    bytes_removed integer not null default 0
  )`.execute(db);
  await sql`create index artifacts_job on artifacts (job_id)`.execute(db);
  await sql`create index artifacts_expiry on artifacts (expires_at) where bytes_removed = 0`.execute(
    db,
  );
  await sql`create table artifact_chunks (
    artifact_id text not null references artifacts (id) on delete cascade,
    number integer not null,
    bytes ${bytes} not null,
    primary key (artifact_id, number)
  )`.execute(db);
}
