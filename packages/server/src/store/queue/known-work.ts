import { sql } from 'kysely';
import type { Pool } from '../../rules/claiming/pool.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';
import { IN_POOL, IS_ANY_BREAKER_OPEN, IS_READY, IS_RUNNING, mayStart } from './job-predicates.ts';

/**
 * Business times before which nothing is left to find, as far as a process knows; 0 when it knows nothing.
 * With them a search for everything begins behind the dead rows of earlier jobs, which vacuum may not have removed.
 */
export interface KnownWork extends KnownRuns {
  /** No job that became ready before this is still ready. */
  readonly ready: number;
}

export interface KnownRuns {
  /** No job that started before this is still running. */
  readonly started: number;
  /** Business time of the search that found this out. */
  readonly seenAt: number;
  /** Business time after which it is known no more. */
  readonly holdsUntil: number;
}

export const NOTHING_KNOWN: KnownWork = { ready: 0, started: 0, seenAt: 0, holdsUntil: 0 };

/**
 * A transaction may take this long to commit a time that it has set. What is known is forgotten after as long, too:
 * within it, a clock that was set back is seen to be behind, and longer after it jobs may have started unseen.
 */
const COMMIT_MS = 10_000;
/** Ready jobs examined for the oldest one: an open breaker, or portals that asked to wait, may hold back a great many. */
const READY_AT_ONCE = 500;

export interface OldestWork {
  /** Where the ready jobs begin; behind all jobs when none is ready. */
  readonly from: number;
  readonly known: KnownWork;
}

/** Where a claim that looks for everything begins. PostgreSQL only. */
export async function oldestWork(
  tx: Transaction,
  pool: Pool,
  since: KnownWork,
): Promise<OldestWork> {
  const [row] = await selectOldest(tx, since, pool);
  if (row === undefined) return { from: 0, known: NOTHING_KNOWN };
  return {
    from: row.from,
    known: { ready: knownBefore(row.ready, row.now), ...knownRuns(row.started, row.now) },
  };
}

/** What is known when the oldest running job started at this time. */
export function knownRuns(oldest: number | null, now: number): KnownRuns {
  return { started: knownBefore(oldest, now), seenAt: now, holdsUntil: now + COMMIT_MS };
}

/** For a search after one that failed: to begin nowhere could take as long again, and fail again. */
export function lasting<Known extends KnownRuns>(known: Known): Known {
  return { ...known, holdsUntil: Number.MAX_SAFE_INTEGER };
}

/** The time from which a search for all running jobs has to begin. */
export function startedSince({ started, seenAt, holdsUntil }: KnownRuns, now: number): number {
  return now >= seenAt && now <= holdsUntil ? started : 0;
}

function knownBefore(oldest: number | null, now: number): number {
  return Math.min(oldest ?? now, now - COMMIT_MS);
}

interface OldestRow {
  readonly from: number;
  readonly ready: number | null;
  readonly started: number | null;
  readonly now: number;
}

/** As in the indexes by that time. */
const READY_AT = {
  real: sql`(case when ready = 1 and env_scope <> 'sandbox' then ready_at end)`,
  sandbox: sql`(case when ready = 1 and env_scope = 'sandbox' then ready_at end)`,
} as const satisfies Record<Pool, unknown>;

/** In the order of the index, or PostgreSQL might begin at the oldest job instead of the oldest time. */
const selectOldest = compiled((tx, slot: SlotOf<KnownWork>, pool: Pool) => {
  const now = sql`(select now from time)`;
  const isRecent = sql`${now} between cast(${slot('seenAt')} as bigint)
    and cast(${slot('holdsUntil')} as bigint)`;
  const since = (name: 'ready' | 'started') =>
    sql`(select case when ${isRecent} then cast(${slot(name)} as bigint) else 0 end)`;
  const from = sql`coalesce((select min(seq) from ready where may_start), (select max(seq) + 1 from jobs), 1)`;
  // Jobs that stay ready may be all that was examined. One that was accepted before them and became ready after them is
  // then looked for in the order of acceptance: rarely, because that index begins with dead rows.
  const mayHideOlder = sql`(select count(*) from ready) = ${sql.lit(READY_AT_ONCE)}
    and (${IS_ANY_BREAKER_OPEN} or exists (select 1 from ready where not may_start))`;
  const lowest = sql`select seq from jobs where ${IS_READY} and ${IN_POOL[pool]} order by seq limit 1`;
  const statement = sql<OldestRow>`
    with time as materialized (
      select ${tx.clock} as now
    ), ready as materialized (
      select seq, ready_at, ${mayStart(tx)} as may_start from jobs
      where ${READY_AT[pool]} >= ${since('ready')}
      order by ${READY_AT[pool]} limit ${sql.lit(READY_AT_ONCE)}
    ), running as materialized (
      select started_at from jobs
      where ${IS_RUNNING} and ${IN_POOL[pool]} and started_at >= ${since('started')}
      order by started_at limit 1
    )
    select least(${from}, case when ${mayHideOlder} then (${lowest}) end) as "from",
      (select min(ready_at) from ready) as ready, (select started_at from running) as started,
      ${now} as now`;
  return { compile: () => statement.compile(tx.db) };
});
