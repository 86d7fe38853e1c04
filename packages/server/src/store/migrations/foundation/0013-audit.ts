import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** The audit log. The database itself refuses to change or remove a row. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`create table audit (
    id ${identity},
    at bigint not null,
    actor_kind text not null,
    actor_id text not null,
    organization_id integer,
    act text not null,
    target text,
    details text not null,
    trace_id text
  )`.execute(db);
  await sql`create index audit_organization on audit (organization_id, id)`.execute(db);
  await sql`create index audit_act on audit (act, id)`.execute(db);
  if (dialect.name === 'sqlite') {
    for (const event of ['update', 'delete']) {
      await sql
        .raw(`create trigger audit_no_${event} before ${event} on audit
          begin select raise(abort, 'the audit room is append-only'); end`)
        .execute(db);
    }
  } else {
    await sql`create function audit_is_append_only() returns trigger language plpgsql
      as $$ begin raise exception 'the audit room is append-only'; end $$`.execute(db);
    await sql`create trigger audit_append_only before update or delete or truncate on audit
      for each statement execute function audit_is_append_only()`.execute(db);
  }
}
