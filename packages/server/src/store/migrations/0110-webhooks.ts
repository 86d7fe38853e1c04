import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** Webhook endpoints, and the log of deliveries. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const sqlite = dialect.name === 'sqlite';
  const bytes = sql.raw(sqlite ? 'blob' : 'bytea');
  const identity = sql.raw(
    sqlite
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`alter table app_credentials add column manage_webhooks integer not null default 0`.execute(
    db,
  );
  await sql`create table webhooks (
    id text primary key,
    organization_id integer not null references organizations (id),
    url text not null,
    event_types text not null,
    env_scope text not null,
    description text,
    status text not null check (status in ('ENABLED', 'DISABLED')),
    disabled_reason text,
    disabled_at bigint,
    keys ${bytes} not null,
    key_version integer not null default 1,
    public_key text not null,
    previous_keys_until bigint,
    failing_since bigint,
    created_at bigint not null,
    created_by text not null,
    tx bigint not null,
    seq bigint not null,
    replay_tx bigint,
    replay_seq bigint,
    replay_end_tx bigint,
    replay_end_seq bigint,
    replay_from bigint,
    replay_to bigint,
    owner text,
    wake_at bigint,
    check ((status = 'DISABLED') = (disabled_reason is not null)),
    check (status = 'ENABLED' or owner is null)
  )`.execute(db);
  await sql`create index webhooks_organization on webhooks (organization_id, id)`.execute(db);
  await sql`create index webhooks_wake on webhooks (wake_at) where wake_at is not null`.execute(db);
  await sql`create table webhook_deliveries (
    seq ${identity},
    webhook_id text not null,
    kind text not null check (kind in ('event', 'test', 'replay')),
    event_tx bigint not null,
    event_seq bigint not null,
    event_type text not null,
    status text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
    attempts integer not null default 0,
    created_at bigint not null,
    last_attempt_at bigint,
    next_attempt_at bigint,
    duration_ms integer,
    response_status integer,
    response_body text,
    error text,
    check ((status = 'PENDING') = (next_attempt_at is not null))
  )`.execute(db);
  await sql`create index webhook_deliveries_log on webhook_deliveries (webhook_id, seq)`.execute(
    db,
  );
  await sql`create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at)
    where status = 'PENDING'`.execute(db);
}
