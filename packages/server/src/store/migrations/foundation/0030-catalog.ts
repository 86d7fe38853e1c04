import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/** Products and their versions. A version belongs to its product, an action to one product. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const identity = sql.raw(
    dialect.name === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'bigint generated always as identity primary key',
  );
  await sql`create table products (
    id ${identity},
    code text not null unique,
    name text not null,
    description text,
    category text,
    current_version_id bigint,
    created_at bigint not null,
    updated_at bigint not null
  )`.execute(db);
  await sql`create table product_versions (
    id ${identity},
    product_id bigint not null references products (id),
    version text not null,
    version_status text not null
      check (version_status in ('DRAFT', 'PUBLISHED', 'DEPRECATED', 'RETIRED')),
    provider text not null,
    action text not null,
    params_schema_ref text not null,
    result_schema_ref text not null,
    pricing_hint text,
    rate_limit_hint text,
    metadata text,
    published_at bigint,
    deprecated_at bigint,
    retired_at bigint,
    created_at bigint not null,
    unique (product_id, version),
    check (version_status not in ('PUBLISHED', 'DEPRECATED') or published_at is not null),
    check ((version_status = 'RETIRED') = (retired_at is not null))
  )`.execute(db);
  await sql`create table product_actions (
    action text primary key,
    product_id bigint not null references products (id)
  )`.execute(db);
}
