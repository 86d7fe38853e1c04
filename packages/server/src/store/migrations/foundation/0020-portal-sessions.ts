import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** Login sessions at the institutions, sealed, and the last error of an institution in trouble. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`create table portal_sessions (
    account_link_id text not null references account_links (id),
    env_scope text not null check (env_scope in ('real_test', 'production')),
    organization_id integer not null references organizations (id),
    state ${bytes} not null,
    last_used_at bigint not null,
    primary key (account_link_id, env_scope)
  )`.execute(db);
  await sql`create index portal_sessions_idle on portal_sessions (last_used_at)`.execute(db);
  await sql`alter table breakers add column last_code text`.execute(db);
}
