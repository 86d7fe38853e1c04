import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** Second factors, and what an operator can disable. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`alter table organizations add column factor_required integer not null default 0`.execute(
    db,
  );
  for (const table of ['users', 'organizations', 'app_credentials', 'legacy_api_keys']) {
    await sql`alter table ${sql.table(table)} add column disabled_at bigint`.execute(db);
  }
  // Passkeys get their own kind; nothing here assumes a single kind.
  await sql`create table factors (
    id text primary key,
    user_id integer not null references users (id),
    kind text not null check (kind in ('totp', 'passkey')),
    label text,
    secret ${bytes} not null,
    last_step bigint,
    created_at bigint not null,
    confirmed_at bigint,
    last_used_at bigint
  )`.execute(db);
  await sql`create unique index factors_totp on factors (user_id)
    where kind = 'totp' and confirmed_at is not null`.execute(db);
  await sql`create index factors_user on factors (user_id)`.execute(db);
  await sql`create table recovery_codes (
    user_id integer not null references users (id),
    code_hash text not null,
    used_at bigint,
    primary key (user_id, code_hash)
  )`.execute(db);
}
