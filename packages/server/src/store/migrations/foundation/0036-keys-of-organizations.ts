import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/**
 * One ring of encryption keys per organization and environment instead of one for all.
 * The shared keys are removed, because any organization could use what was encrypted for them.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`create table rings (
    ring text not null,
    kid text not null,
    private_key ${bytes} not null,
    created_at bigint not null,
    retired_at bigint,
    primary key (ring, kid)
  )`.execute(db);
  await sql`insert into rings (ring, kid, private_key, created_at, retired_at)
    select ring, kid, private_key, created_at, retired_at from ring_keys
    where ring = 'signing_keys'`.execute(db);
  await sql`drop table ring_keys`.execute(db);
  await sql`alter table rings rename to ring_keys`.execute(db);
  await sql`create unique index ring_keys_current
    on ring_keys (ring) where retired_at is null`.execute(db);
  await sql`create index ring_keys_age on ring_keys (created_at)`.execute(db);
}
