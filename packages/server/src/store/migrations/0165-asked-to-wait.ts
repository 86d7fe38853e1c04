import { type Kysely, sql } from 'kysely';

/** Until when an institution asked to be left alone; `open_until` is then not earlier. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table breakers add column asked_until bigint`.execute(db);
}
