import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/**
 * Events per organization. PostgreSQL does not commit in the order in which it assigns numbers, so there events are
 * ordered by their transaction and within one by `seq`; SQLite has one writer.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const sqlite = dialect.name === 'sqlite';
  const seq = sql.raw(
    sqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity',
  );
  const transaction = sql.raw(sqlite ? '0' : '(pg_current_xact_id()::text::bigint)');
  await sql`create table events (
    seq ${seq},
    tx bigint not null default ${transaction},
    organization_id integer not null,
    env_scope text,
    type text not null,
    job_id text,
    account_link_id text,
    subject text,
    data text not null,
    at bigint not null
    ${sqlite ? sql`` : sql`, primary key (tx, seq)`}
  )`.execute(db);
  await sql`create index events_organization on events (organization_id, tx, seq)`.execute(db);
  await sql`create index account_links_expiry on account_links (cert_not_after)
    where cert_not_after is not null`.execute(db);
}
