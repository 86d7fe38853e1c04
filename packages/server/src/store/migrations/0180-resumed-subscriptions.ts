import { type Kysely, sql } from 'kysely';

/** When periods began anew after a pause: later ones end on that day of the month, not on that of the creation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column resumed_at bigint`.execute(db);
}
