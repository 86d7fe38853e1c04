import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** Signed receipts, one chain per organization and environment, and the keys that verify them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`create table receipts (
    seq ${identity},
    job_id text not null unique,
    organization_id integer not null,
    env_scope text not null,
    submitted_by text not null,
    action text not null,
    facts text not null,
    number bigint,
    jws text,
    hash text,
    unique (organization_id, env_scope, number)
  )`.execute(db);
  await sql`create index receipts_unsigned on receipts (organization_id, env_scope, seq)
    where jws is null`.execute(db);
  await sql`create table receipt_keys (
    kid text primary key,
    x text not null,
    created_at bigint not null
  )`.execute(db);
}
