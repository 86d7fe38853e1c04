import { type Kysely, sql } from 'kysely';

/** Passkeys are a kind of factor: their sealed public key is stored where an app's secret is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['credential_id text', 'user_handle text', 'transports text']) {
    await sql`alter table factors add column ${sql.raw(column)}`.execute(db);
  }
  await sql`alter table factors add column counter bigint`.execute(db);
  await sql`create unique index factors_credential on factors (credential_id)
    where credential_id is not null`.execute(db);
  await sql`create table used_passkey_attempts (
    attempt_hash text primary key,
    expires_at bigint not null
  )`.execute(db);
  await sql`create index used_passkey_attempts_expiry
    on used_passkey_attempts (expires_at)`.execute(db);
}
