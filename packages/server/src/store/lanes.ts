import { sql } from 'kysely';
import { recordOutcome } from './breakers.ts';
import { addEvents, durationMs } from './job-events.ts';
import { HOLDS_LANE, IS_QUEUED, IS_UNFINISHED, IS_WAITING } from './job-predicates.ts';
import { lockLane } from './lane-lock.ts';
import type { Outcome } from './schema/jobs.ts';
import type { Transaction } from './script.ts';

/** How long a job's row, result and idempotency record live after its end (D14). */
export const JOB_RETENTION_MS = 30 * 86_400_000;

/** What `end` must know of a job before it takes the lane's lock. */
export interface LaneJob {
  readonly id: string;
  readonly lane: string | null;
}

/** Ends the job only if this still holds once the lane is locked. */
export interface EndGuard {
  readonly status?: 'QUEUED' | 'RUNNING';
  readonly owner?: string;
}

/**
 * Makes the oldest waiting job of a lane its head, unless the lane has a head or a running job.
 * The caller holds the lane's lock. `at` is the end of the job before it.
 */
export async function promoteNext(tx: Transaction, lane: string, at?: number): Promise<boolean> {
  const promoted = await tx.db
    .updateTable('jobs')
    .set({ ready: 1, ready_at: at ?? tx.clock })
    .where('seq', '=', (eb) =>
      eb
        .selectFrom('jobs')
        .select('seq')
        .where('lane', '=', lane)
        .where(IS_WAITING)
        .orderBy('seq')
        .limit(1),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('jobs').select('seq').where('lane', '=', lane).where(HOLDS_LANE))),
    )
    .returning('id')
    .executeTakeFirst();
  if (promoted === undefined) return false;
  tx.signal({ kind: 'ready' });
  return true;
}

/**
 * The only writer of an end state: finish, cancel, queue time-out, unlink, lost worker. Frees the
 * lane, wipes what was encrypted, gives the tokens of a job that never ran back (D38).
 *
 * @returns when it finished, or null when it had ended before or the guard did not hold.
 */
export async function end(
  tx: Transaction,
  job: LaneJob,
  outcome: Outcome,
  guard: EndGuard = {},
): Promise<number | null> {
  if (job.lane !== null) await lockLane(tx, job.lane);
  const ended = await writeEnd(tx, job.id, outcome, guard);
  if (ended === undefined || ended.finished_at === null) return null;
  const { finished_at: finishedAt } = ended;
  if (job.lane !== null) await promoteNext(tx, job.lane, finishedAt);
  if (ended.started_at === null) await giveTokensBack(tx, ended);
  const error = parseError(outcome.error);
  await addEvents(tx, [
    {
      job_id: job.id,
      at: finishedAt,
      kind: 'ended',
      message: error ? `${outcome.status} ${error.code}` : outcome.status,
      duration_ms: durationMs(ended.started_at, finishedAt),
      upstream_status: error?.upstream_status ?? null,
    },
  ]);
  if (ended.env_scope !== 'sandbox') {
    await recordOutcome(tx, { ...ended, env_scope: ended.env_scope }, outcome.status, error?.code);
  }
  tx.signal({ kind: 'finished', jobId: job.id });
  return finishedAt;
}

/**
 * Ends at most `limit` waiting jobs of one lane, newest first so that none becomes its head only to
 * end next; for unlinking and deletion. Answers how many ended: fewer than `limit` means all.
 */
export async function endQueuedOfLane(
  tx: Transaction,
  lane: string,
  outcome: Outcome,
  limit: number,
): Promise<number> {
  await lockLane(tx, lane);
  const waiting = await tx.db
    .selectFrom('jobs')
    .select(['id', 'lane'])
    .where('lane', '=', lane)
    .where(IS_WAITING)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  if (waiting.length < limit) {
    waiting.push(
      ...(await tx.db
        .selectFrom('jobs')
        .select(['id', 'lane'])
        .where('lane', '=', lane)
        .where(HOLDS_LANE)
        .where(IS_QUEUED)
        .execute()),
    );
  }
  let count = 0;
  for (const job of waiting) {
    if ((await end(tx, job, outcome, { status: 'QUEUED' })) !== null) count += 1;
  }
  return count;
}

async function writeEnd(tx: Transaction, id: string, outcome: Outcome, guard: EndGuard) {
  // A database clock that was set back must not let the next job of the lane start before this end.
  const began = sql<number>`coalesce(started_at, ready_at, 0)`;
  const finishedAt = sql<number>`case when ${began} > ${tx.clock} then ${began} else ${tx.clock} end`;
  return tx.db
    .updateTable('jobs')
    .set({
      status: outcome.status,
      error: outcome.error,
      result: outcome.result,
      result_as_file: outcome.resultAsFile ? 1 : 0,
      ready: 0,
      lease_owner: null,
      lease_until: null,
      progress: 100,
      progress_message: null,
      encrypted_fields: null,
      finished_at: finishedAt,
      purge_at: sql<number>`${finishedAt} + ${sql.lit(JOB_RETENTION_MS)}`,
    })
    .where('id', '=', id)
    .where(IS_UNFINISHED)
    .$if(guard.status !== undefined, (query) =>
      query.where('status', '=', guard.status ?? 'QUEUED'),
    )
    .$if(guard.owner !== undefined, (query) => query.where('lease_owner', '=', guard.owner ?? ''))
    .returning([
      'id',
      'organization_id',
      'env_scope',
      'provider',
      'usage_tokens',
      'charged_periods',
      'started_at',
      'finished_at',
    ])
    .executeTakeFirst();
}

interface ChargedJob {
  readonly organization_id: number;
  readonly env_scope: 'sandbox' | 'real_test' | 'production';
  readonly usage_tokens: number;
  readonly charged_periods: string;
}

async function giveTokensBack(tx: Transaction, job: ChargedJob): Promise<void> {
  if (job.usage_tokens === 0) return;
  // Written by the submission, in the order in which it locked these rows.
  const periods: string[] = JSON.parse(job.charged_periods);
  for (const period of periods) {
    await tx.db
      .updateTable('usage')
      .set((eb) => ({ used: eb('used', '-', job.usage_tokens) }))
      .where('organization_id', '=', job.organization_id)
      .where('env_scope', '=', job.env_scope)
      .where('period', '=', period)
      .execute();
  }
}

function parseError(json: string | null): { code: string; upstream_status: number | null } | null {
  return json === null ? null : JSON.parse(json);
}
