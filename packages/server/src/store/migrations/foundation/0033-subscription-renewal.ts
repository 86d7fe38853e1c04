import { type Kysely, sql } from 'kysely';

/** Whether another period follows the current one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column renews integer not null default 0
    check (renews in (0, 1))`.execute(db);
}
