import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** Data keys wrapped by the master key, and the rings of private keys sealed with the system's data key. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`create table organization_keys (
    scope text primary key,
    wrapped ${bytes} not null,
    identity_key ${bytes}
  )`.execute(db);
  await sql`create table ring_keys (
    kid text primary key,
    ring text not null check (ring in ('encryption_keys', 'signing_keys')),
    private_key ${bytes} not null,
    created_at bigint not null,
    retired_at bigint
  )`.execute(db);
  await sql`create unique index ring_keys_current
    on ring_keys (ring) where retired_at is null`.execute(db);
}
