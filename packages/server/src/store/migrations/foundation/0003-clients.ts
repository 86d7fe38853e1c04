import { type Kysely, sql } from 'kysely';

/** Programs' keys: client credentials and legacy x-api-keys, stored as hashes only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app_credentials (
    client_id text primary key,
    organization_id integer not null references organizations (id),
    label text not null,
    secret_hash text not null,
    allowed_env_scopes text not null,
    integration_profile text not null
      check (integration_profile in ('standard_external', 'desktop_agent')),
    read_only integer not null check (read_only in (0, 1)),
    allowed_actions text,
    allow_irreversible_tools integer not null check (allow_irreversible_tools in (0, 1)),
    created_at bigint not null,
    created_by text not null,
    revoked_at bigint,
    revoked_reason text
      check (revoked_reason in ('user_request', 'admin_action', 'security_incident', 'superseded')),
    check ((revoked_at is null) = (revoked_reason is null))
  )`.execute(db);
  await sql`create index app_credentials_organization
    on app_credentials (organization_id, client_id)`.execute(db);
  await sql`create table legacy_api_keys (
    id text primary key,
    organization_id integer not null references organizations (id),
    env_scope text not null check (env_scope in ('sandbox', 'real_test', 'production')),
    label text not null,
    key_hash text not null unique,
    created_at bigint not null,
    created_by text not null,
    revoked_at bigint
  )`.execute(db);
  await sql`create index legacy_api_keys_organization
    on legacy_api_keys (organization_id, id)`.execute(db);
}
