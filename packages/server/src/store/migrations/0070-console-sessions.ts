import { type Kysely, sql } from 'kysely';

/** Console users' logins, each of which can be ended separately. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table console_sessions (
    id text primary key,
    user_id integer not null references users (id),
    secret_hash text unique,
    password_epoch integer not null,
    address text not null,
    user_agent text,
    created_at bigint not null,
    last_used_at bigint not null,
    expires_at bigint not null
  )`.execute(db);
  await sql`create index console_sessions_user on console_sessions (user_id, created_at)`.execute(
    db,
  );
  await sql`create index console_sessions_expires on console_sessions (expires_at)`.execute(db);
}
