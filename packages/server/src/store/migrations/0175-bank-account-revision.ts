import { type Kysely, sql } from 'kysely';

/** Counts replaced passwords, as links do: their bytes also change when they are sealed with another key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_accounts add column revision integer not null default 1`.execute(db);
}
