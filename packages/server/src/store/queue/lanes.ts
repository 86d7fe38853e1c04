import { sql } from 'kysely';
import type { Outcome } from '../../rules/endings/endings.ts';
import { poolOf } from '../../rules/lanes/pool.ts';
import { appendJobEvents } from '../events/job-events.ts';
import { noteReceipt } from '../receipts/note-receipt.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';
import { recordOutcome } from './breakers.ts';
import { type EndedRow, type EndGuard, guardOf, writeEnd } from './end-statement.ts';
import { noteFinishedCalls } from './finished-call.ts';
import { HOLDS_LANE, IS_QUEUED, IS_WAITING } from './job-predicates.ts';
import { lockLane, lockLanes } from './lane-lock.ts';
import { heldUntil, holdLink } from './login-spacing.ts';

/** What `end` must know of a job before it takes the lane's lock. */
export interface LaneJob {
  readonly id: string;
  readonly lane: string | null;
}

/** The job that ended, for whoever comes after it. */
interface Predecessor {
  readonly seq: number;
  /** When it ended. */
  readonly at: number;
}

/**
 * Makes the oldest waiting job of a lane its head, unless the lane has a head or a running job.
 * The caller holds the lane's lock. A lane is ordered by `seq`, so the successor of the ended job is
 * found without scanning the dead rows of earlier ones.
 */
export async function promoteNext(
  tx: Transaction,
  lane: string,
  before?: Predecessor,
): Promise<boolean> {
  const { seq, at } = before ?? { seq: 0, at: await tx.now() };
  const [promoted] = await promote(tx, { lane, after: seq, at });
  if (promoted === undefined) return false;
  tx.signal({ kind: 'ready', pool: poolOf(promoted.env_scope), seq: promoted.seq });
  return true;
}

const promote = compiled((tx, slot: SlotOf<{ lane: string; after: number; at: number }>) =>
  tx.db
    .updateTable('jobs')
    .set({
      ready: sql.lit(1),
      ready_at: slot('at'),
      held_until: heldUntil(sql.ref('jobs.account_link_id'), sql.ref('jobs.env_scope')),
    })
    .where('seq', '=', (eb) =>
      eb
        .selectFrom('jobs')
        .select('seq')
        // A range, so that the order names the lane too: only the lane index provides that order.
        .where('lane', '>=', slot('lane'))
        .where('lane', '<=', slot('lane'))
        .where('seq', '>', slot('after'))
        .where(IS_WAITING)
        .orderBy('lane')
        .orderBy('seq')
        .limit(sql.lit(1)),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('jobs').select('seq').where('lane', '=', slot('lane')).where(HOLDS_LANE)),
      ),
    )
    .returning(['env_scope', 'seq']),
);

/**
 * The only writer of an end state: finish, cancel, queue timeout, unlink, lost worker. Frees the
 * lane, deletes encrypted values and refunds the tokens of a job that never ran.
 *
 * @returns when it ended, or null when it had ended before or the guard did not hold
 */
export async function end(
  tx: Transaction,
  job: LaneJob,
  outcome: Outcome,
  guard: EndGuard = {},
): Promise<number | null> {
  if (job.lane !== null) await lockLane(tx, job.lane);
  return endInLane(tx, job, outcome, guard);
}

/** One of several ends that share a transaction. */
export interface EndOfRun {
  readonly job: LaneJob;
  readonly outcome: Outcome;
  readonly guard: EndGuard;
}

/**
 * `end` for several jobs of different lanes, in the order of `ends`: what all of them do leaves together.
 * PostgreSQL only.
 */
export async function endTogether(
  tx: Transaction,
  ends: readonly EndOfRun[],
): Promise<(number | null)[]> {
  await lockLanes(tx, new Set(ends.flatMap(({ job }) => job.lane ?? [])));
  const closed = await Promise.all(
    ends.map(async ({ job, outcome, guard }) => ({
      outcome,
      ended: await closeJob(tx, job, outcome, guard),
    })),
  );
  await noteFinishedCalls(
    tx,
    closed.flatMap(({ ended }) => ended ?? []),
  );
  // By institution, so that two transactions never wait for each other in a circle.
  for (const { outcome, ended } of closed.toSorted(byInstitution)) {
    if (ended) await followEnd(tx, outcome, ended);
  }
  return closed.map(({ ended }) => ended?.finished_at ?? null);
}

type Closed = { readonly ended: EndedJob | undefined };

function byInstitution(a: Closed, b: Closed): number {
  return (a.ended?.provider ?? '').localeCompare(b.ended?.provider ?? '');
}

/** The caller holds the lock of the job's lane. */
async function endInLane(
  tx: Transaction,
  job: LaneJob,
  outcome: Outcome,
  guard: EndGuard,
): Promise<number | null> {
  const ended = await closeJob(tx, job, outcome, guard);
  if (ended === undefined) return null;
  await noteFinishedCalls(tx, [ended]);
  await followEnd(tx, outcome, ended);
  return ended.finished_at;
}

type EndedJob = EndedRow & { readonly finished_at: number };

/** Ends the job and makes the next one the head of its lane. */
async function closeJob(
  tx: Transaction,
  job: LaneJob,
  outcome: Outcome,
  guard: EndGuard,
): Promise<EndedJob | undefined> {
  const [ended] = await writeEnd(
    tx,
    {
      status: outcome.status,
      error: outcome.error,
      result: outcome.result,
      id: job.id,
      resultAsFile: outcome.resultAsFile ? 1 : 0,
      guardStatus: guard.status ?? '',
      guardOwner: guard.run?.owner ?? '',
      guardAttempt: guard.run?.attempt ?? 0,
    },
    `${outcome.status} ${guardOf(guard)}`,
  );
  const finishedAt = ended?.finished_at ?? null;
  if (ended === undefined || finishedAt === null) return undefined;
  await appendJobEvents(tx, 'job.finished', [ended]);
  // Before the next job becomes the head, which this holds back.
  await holdLink(tx, ended.account_link_id, finishedAt, outcome);
  if (job.lane !== null) await promoteNext(tx, job.lane, { seq: ended.seq, at: finishedAt });
  return { ...ended, finished_at: finishedAt };
}

/** What else follows from the end of a job. */
async function followEnd(tx: Transaction, outcome: Outcome, ended: EndedJob): Promise<void> {
  const { id, finished_at: finishedAt } = ended;
  if (ended.started_at === null) await refundTokens(tx, ended);
  if (ended.env_scope !== 'sandbox') {
    await recordOutcome(
      tx,
      { ...ended, env_scope: ended.env_scope, at: finishedAt, inTrouble: ended.in_trouble > 0 },
      outcome,
      codeOf(outcome.error),
    );
  }
  if (ended.submit_step_at !== null) {
    const { status, files = [] } = outcome;
    const passedPointAt = ended.submit_step_at;
    await noteReceipt(tx, { id, status, passedPointAt, finishedAt, files });
  }
  tx.signal({ kind: 'finished', jobId: id });
}

/**
 * Ends at most `limit` waiting jobs of one lane, newest first, so that none becomes the head only to
 * end next; for unlinking and deletion. Returns how many ended: fewer than `limit` means all.
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
    if ((await endInLane(tx, job, outcome, { status: 'QUEUED' })) !== null) count += 1;
  }
  return count;
}

interface ChargedJob {
  readonly organization_id: number;
  readonly env_scope: 'sandbox' | 'real_test' | 'production';
  readonly usage_tokens: number;
  readonly charged_periods: string;
}

async function refundTokens(tx: Transaction, job: ChargedJob): Promise<void> {
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

function codeOf(error: string | null): string | undefined {
  return error === null ? undefined : JSON.parse(error).code;
}
