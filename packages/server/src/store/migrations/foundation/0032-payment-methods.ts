import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** Payment methods, one current per organization, and the session that registered each. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const sqlite = dialect.name === 'sqlite';
  const identity = sql.raw(
    sqlite
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  const bytes = sql.raw(sqlite ? 'blob' : 'bytea');
  await sql`create table payment_methods (
    id ${identity},
    organization_id bigint not null references organizations (id),
    customer_key text not null unique,
    auth_key_hash text not null,
    billing_key ${bytes},
    card_company text not null,
    last_four text not null check (length(last_four) = 4),
    registered_at bigint not null,
    replaced_at bigint,
    check ((billing_key is null) = (replaced_at is not null))
  )`.execute(db);
  await sql`create unique index payment_methods_in_force on payment_methods (organization_id)
    where replaced_at is null`.execute(db);
}
