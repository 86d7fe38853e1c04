import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/**
 * Where a request came from, and the chain that seals each organization's rows. The chain is a table
 * of its own, so that writing a row needs no lock and no row is ever changed.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`alter table audit add column address text`.execute(db);
  await sql`alter table audit add column user_agent text`.execute(db);
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`create table audit_chain (
    seq ${identity},
    scope text not null,
    number bigint not null,
    audit_id bigint not null unique,
    hash text not null,
    unique (scope, number)
  )`.execute(db);
  if (dialect.name === 'sqlite') {
    for (const event of ['update', 'delete']) {
      await sql
        .raw(`create trigger audit_chain_no_${event} before ${event} on audit_chain
          begin select raise(abort, 'the audit room is append-only'); end`)
        .execute(db);
    }
  } else {
    await sql`create trigger audit_chain_append_only before update or delete or truncate
      on audit_chain for each statement execute function audit_is_append_only()`.execute(db);
  }
}
