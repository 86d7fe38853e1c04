import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../transactions/script.ts';

/** The previous data key, while values are being re-encrypted with its successor. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect.name === 'sqlite' ? 'blob' : 'bytea');
  await sql`alter table organization_keys add column generation integer not null default 0`.execute(
    db,
  );
  await sql`alter table organization_keys add column previous ${bytes}`.execute(db);
  await sql`alter table organization_keys add column rotation_due integer not null default 0`.execute(
    db,
  );
}
