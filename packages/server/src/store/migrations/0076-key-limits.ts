import { type Kysely, sql } from 'kysely';

/** Limits of keys, the secret before the last rotation, and the addresses from which each key was used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'expires_at bigint',
    'allowed_addresses text',
    'previous_secret_hash text',
    'previous_secret_until bigint',
    'last_used_at bigint',
    'last_used_address text',
  ]) {
    await sql`alter table app_credentials add column ${sql.raw(column)}`.execute(db);
  }
  await sql`create table app_credential_addresses (
    client_id text not null,
    address text not null,
    at bigint not null,
    primary key (client_id, address)
  )`.execute(db);
}
