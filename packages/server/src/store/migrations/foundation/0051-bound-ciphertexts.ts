import { type Kysely, sql } from 'kysely';

/** What each received ciphertext was for, as long as a key that decrypts it may be in force. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table bound_ciphertexts (
    organization_id integer not null,
    hash text not null,
    field text not null,
    target text,
    expires_at bigint not null,
    primary key (organization_id, hash)
  )`.execute(db);
  await sql`create index bound_ciphertexts_expiry on bound_ciphertexts (expires_at)`.execute(db);
}
