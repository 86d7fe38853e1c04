import type { JobState } from '@changgu/contract';
import { sql } from 'kysely';
import type { Pool } from '../../rules/claiming/pool.ts';
import type { Transaction } from '../transactions/script.ts';

/**
 * Conditions on the rows of the queue. They are literals, never bound values, because only then does a prepared
 * statement keep using the partial indexes of the migrations.
 */
export const IS_READY = sql<boolean>`ready = 1`;
export const IS_WAITING = sql<boolean>`status = 'QUEUED' and ready = 0`;
export const IS_QUEUED = sql<boolean>`status = 'QUEUED'`;
export const IS_RUNNING = sql<boolean>`status = 'RUNNING'`;
export const IS_UNFINISHED = sql<boolean>`status in ('QUEUED', 'RUNNING')`;
/**
 * The same for rows that a statement names by key, written so that no partial index fits. Before a
 * table has statistics, PostgreSQL prefers the smallest index and reads all of it.
 */
export const NAMED = {
  status: sql<JobState>`status || ''`,
  isReady: sql<boolean>`ready + 0 = 1`,
  isRunning: sql<boolean>`status || '' = 'RUNNING'`,
  isUnfinished: sql<boolean>`status || '' in ('QUEUED', 'RUNNING')`,
};
/** Holds the one slot of its lane. */
export const HOLDS_LANE = sql<boolean>`(ready = 1 or status = 'RUNNING')`;

/** Not held back by an open circuit breaker, or the institution's trial job. */
export const IS_ADMITTED = sql<boolean>`not exists (
  select 1 from breakers
  where breakers.provider = jobs.provider and breakers.env_scope = jobs.env_scope
    and breakers.open_until is not null and breakers.trial_job_id is distinct from jobs.id)`;

export const IS_ANY_BREAKER_OPEN = sql<boolean>`exists (
  select 1 from breakers where open_until is not null)`;

export const IN_POOL = {
  real: sql<boolean>`env_scope <> 'sandbox'`,
  sandbox: sql<boolean>`env_scope = 'sandbox'`,
} as const satisfies Record<Pool, unknown>;

/** Neither past its queue deadline nor held back until later. */
export function mayStart(tx: Pick<Transaction, 'clock'>) {
  return sql<boolean>`queue_deadline_at > ${tx.clock}
    and (held_until is null or held_until <= ${tx.clock})`;
}
