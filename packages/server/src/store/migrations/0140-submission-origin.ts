import { type Kysely, sql } from 'kysely';

/** Where an irreversible job was submitted from: the worker that makes it take effect has no request of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column submitted_from text`.execute(db);
}
