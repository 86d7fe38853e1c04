import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** How people join, prove their address and regain access, and the e-mail for that. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`alter table users add column email_verified_at bigint`.execute(db);
  await sql`alter table members add column joined_at bigint`.execute(db);
  await sql`create table invitations (
    id text primary key,
    organization_id integer not null references organizations (id),
    email text not null,
    role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER')),
    token_hash text not null unique,
    mailed integer not null check (mailed in (0, 1)),
    invited_by integer not null references users (id),
    created_at bigint not null,
    expires_at bigint not null,
    accepted_at bigint,
    revoked_at bigint,
    check (accepted_at is null or revoked_at is null)
  )`.execute(db);
  await sql`create unique index invitations_open on invitations (organization_id, email)
    where accepted_at is null and revoked_at is null`.execute(db);
  await sql`create index invitations_created on invitations (organization_id, created_at)`.execute(
    db,
  );
  await sql`create table one_time_links (
    token_hash text primary key,
    kind text not null check (kind in ('verify_email', 'password_reset')),
    user_id integer references users (id),
    email_hash text not null,
    password_epoch integer,
    mailed integer not null check (mailed in (0, 1)),
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint,
    check ((user_id is null) = (password_epoch is null))
  )`.execute(db);
  await sql`create index one_time_links_email on one_time_links (email_hash, kind, created_at)`.execute(
    db,
  );
  await sql`create index one_time_links_expires on one_time_links (expires_at)`.execute(db);
  await sql`create table mail_outbox (
    id text primary key,
    letter ${bytes} not null,
    wanted integer not null check (wanted in (0, 1)),
    attempts integer not null default 0,
    next_attempt_at bigint not null,
    expires_at bigint not null
  )`.execute(db);
  await sql`create index mail_outbox_next on mail_outbox (next_attempt_at)`.execute(db);
}
