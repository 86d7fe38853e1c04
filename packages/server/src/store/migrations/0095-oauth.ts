import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** The authorization server's clients, people's approvals, and everything short-lived. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`create table oauth_clients (
    client_id text primary key,
    name text not null,
    origin text not null check (origin in ('operator', 'registered')),
    may_introspect integer not null default 0,
    metadata ${bytes} not null,
    created_at bigint not null
  )`.execute(db);
  await sql`create table oauth_grants (
    id text primary key,
    organization_id integer not null,
    user_id integer not null,
    client_id text not null,
    client_name text not null,
    redirect_host text,
    scopes text not null,
    env_scopes text not null,
    allowed_actions text,
    created_at bigint not null,
    expires_at bigint not null,
    last_used_at bigint,
    revoked_at bigint
  )`.execute(db);
  await sql`create index oauth_grants_organization
    on oauth_grants (organization_id, id)`.execute(db);
  await sql`create index oauth_grants_client
    on oauth_grants (client_id) where revoked_at is null`.execute(db);
  await sql`create table oauth_artifacts (
    kind text not null,
    id_hash text not null,
    uid_hash text,
    user_code_hash text,
    grant_id text,
    payload ${bytes} not null,
    expires_at bigint not null,
    consumed_at bigint,
    primary key (kind, id_hash)
  )`.execute(db);
  await sql`create index oauth_artifacts_grant
    on oauth_artifacts (grant_id) where grant_id is not null`.execute(db);
  await sql`create index oauth_artifacts_uid
    on oauth_artifacts (uid_hash) where uid_hash is not null`.execute(db);
  await sql`create index oauth_artifacts_user_code
    on oauth_artifacts (user_code_hash) where user_code_hash is not null`.execute(db);
  await sql`create index oauth_artifacts_expiry on oauth_artifacts (expires_at)`.execute(db);
}
