import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../transactions/script.ts';

/**
 * Compares the keys of usage periods byte by byte, as SQLite does: under the collation of an ordinary
 * PostgreSQL database, `day:` to `day;` is not a range.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name === 'sqlite') return;
  await sql`alter table usage alter column period type text collate "C"`.execute(db);
}
