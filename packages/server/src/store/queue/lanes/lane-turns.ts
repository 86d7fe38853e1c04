import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../transactions/script.ts';
import { HOLDS_LANE } from '../job-predicates.ts';

/**
 * Whether a lane has a head or a running job, in one step: on PostgreSQL only the job with the latest turn can be
 * it. Looking for it among the holders would step over all earlier ones that vacuum could not remove.
 * Without a lane nothing is held: `lane = null` is true for no row. No `exists`, which a plan for many rows would hash.
 */
export function laneIsHeld(
  { dialect }: Pick<Transaction, 'dialect'>,
  lane: unknown,
): RawBuilder<boolean> {
  if (dialect.name === 'postgres')
    return sql`coalesce(${latestTurn(sql`${HOLDS_LANE}`, lane)}, false)`;
  return sql`((select 1 from jobs as other
    where other.lane = ${lane} and ${HOLDS_LANE} limit 1) is not null)`;
}

/** The turn of the lane's next head; null without a lane, and on SQLite, whose index of holders is exact. */
export function nextTurn(
  { dialect }: Pick<Transaction, 'dialect'>,
  lane: unknown,
): RawBuilder<number | null> {
  if (dialect.name === 'sqlite') return sql`null`;
  const turn = sql`coalesce(${latestTurn(sql`other.turn`, lane)}, 0) + 1`;
  return sql`case when cast(${lane} as text) is not null then ${turn} end`;
}

/** Behind which the waiting jobs of a lane are, as far as is known. */
export function holderOf(
  { dialect }: Pick<Transaction, 'dialect'>,
  lane: unknown,
): RawBuilder<number> {
  return dialect.name === 'sqlite' ? sql`0` : sql`coalesce(${latestTurn(sql`other.seq`, lane)}, 0)`;
}

function latestTurn(column: RawBuilder<unknown>, lane: unknown): RawBuilder<unknown> {
  return sql`(select ${column} from jobs as other
    where other.lane = ${lane} and other.turn is not null order by other.turn desc limit 1)`;
}
