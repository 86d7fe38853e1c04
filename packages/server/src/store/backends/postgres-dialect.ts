import { sql } from 'kysely';
import { isAmong } from '../transactions/records.ts';
import type { Dialect } from '../transactions/script.ts';
import { clockTexts } from '../transactions/transaction.ts';

const CLOCK = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
export const POSTGRES_CLOCK_TEXTS = clockTexts(CLOCK);
/** One text for any number of locks, so that a connection prepares it once; locks are taken in array order. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended(name, 0))
  from json_array_elements_text(cast($1 as json)) as names(name)`;

export const POSTGRES: Dialect = {
  name: 'postgres',
  clock: sql.raw(CLOCK),
  async lock({ run }, ...names) {
    if (names.length > 0) await run(LOCK, [JSON.stringify(names)]);
  },
  each: (json) => sql`json_array_elements(cast(${json} as json)) with ordinality as line(value, n)`,
  eventHorizon: sql<number>`(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    + coalesce((select cast(value as bigint) from settings where name = 'event_order_offset'), 0))`,
  forUpdate: sql`for update`,
  forShare: sql`for share`,
  skipLocked: sql`for update skip locked`,
  isOneOf: isAmong,
};
