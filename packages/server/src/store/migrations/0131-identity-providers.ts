import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** Login at an identity provider: who vouches for whom, what is under way, and what sessions depend on. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`create table login_domains (
    organization_id integer not null,
    provider text not null,
    domain text not null,
    created_at bigint not null,
    primary key (organization_id, provider, domain)
  )`.execute(db);
  await sql`create table identities (
    user_id integer primary key,
    provider text not null,
    issuer text not null,
    subject text not null,
    created_at bigint not null,
    last_login_at bigint not null
  )`.execute(db);
  await sql`create unique index identities_subject on identities (issuer, subject)`.execute(db);
  await sql`create table sign_in_attempts (
    id_hash text primary key,
    payload ${bytes} not null,
    expires_at bigint not null
  )`.execute(db);
  await sql`create index sign_in_attempts_expiry on sign_in_attempts (expires_at)`.execute(db);
  await sql`create table vouched_sessions (
    session_id text primary key,
    user_id integer not null,
    provider_sid text,
    tokens ${bytes} not null,
    next_check_at bigint not null
  )`.execute(db);
  await sql`create index vouched_sessions_due on vouched_sessions (next_check_at)`.execute(db);
  await sql`create index vouched_sessions_user on vouched_sessions (user_id)`.execute(db);
  await sql`alter table console_sessions add column vouched_until bigint`.execute(db);
  await sql`alter table console_sessions add column factor_vouched integer`.execute(db);
}
