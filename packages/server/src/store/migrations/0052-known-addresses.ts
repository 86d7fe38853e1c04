import { type Kysely, sql } from 'kysely';

/** Where people have logged in from, so that wrong guesses of others do not lock them out there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table known_login_addresses (
    email_hash text not null,
    address text not null,
    at bigint not null,
    primary key (email_hash, address)
  )`.execute(db);
  await sql`create index known_login_addresses_at on known_login_addresses (at)`.execute(db);
}
