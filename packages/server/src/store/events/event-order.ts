import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema/tables.ts';

/**
 * PostgreSQL: when a dump is restored into another cluster, transaction ids start from another number. New events
 * then follow those of the dump, and readers keep their position.
 */
export async function keepEventOrder(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ last: number; next: number }>`
    select coalesce((select max(tx) from events), 0) as last,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        + coalesce((select cast(value as bigint) from settings where name = 'event_order_offset'), 0)
        as next`.execute(db);
  const [{ last, next } = { last: 0, next: 1 }] = rows;
  if (last < next) return;
  await sql`alter table events alter column tx
    set default (pg_current_xact_id()::text::bigint + ${sql.lit(last)})`.execute(db);
  await db
    .insertInto('settings')
    .values({ name: 'event_order_offset', value: String(last) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(last) }))
    .execute();
}
