import { type Kysely, sql } from 'kysely';

/** Addresses from which people have logged in, so that others' wrong guesses do not lock them out there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table known_login_addresses (
    email_hash text not null,
    address text not null,
    at bigint not null,
    primary key (email_hash, address)
  )`.execute(db);
  await sql`create index known_login_addresses_at on known_login_addresses (at)`.execute(db);
}
