import { type Kysely, sql } from 'kysely';

/** What app credentials have had since they were limited: expiry, addresses, the key before the last rotation, last use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'expires_at bigint',
    'allowed_addresses text',
    'previous_key_hash text',
    'previous_key_until bigint',
    'last_used_at bigint',
    'last_used_address text',
  ]) {
    await sql`alter table legacy_api_keys add column ${sql.raw(column)}`.execute(db);
  }
  await sql`create index legacy_api_keys_previous on legacy_api_keys (previous_key_hash)
    where previous_key_hash is not null`.execute(db);
}
