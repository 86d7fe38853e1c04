import type { Outcome } from '../../rules/endings/endings.ts';
import { jobErrorOf } from '../../rules/jobs/job-error.ts';
import { appendJobEvents } from '../events/job-events.ts';
import { noteReceipt } from '../receipts/note-receipt.ts';
import { inLockOrder } from '../transactions/lock-order.ts';
import { toRecords } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import { recordOutcome } from './breakers.ts';
import {
  END_FIELDS,
  type EndedRow,
  type EndGuard,
  type EndRecord,
  guardOf,
  writeEnd,
  writeEnds,
} from './end-statement.ts';
import { noteFinishedCalls } from './finished-call.ts';
import { HOLDS_LANE, IS_QUEUED, IS_WAITING } from './job-predicates.ts';
import { lockLane, lockLanes } from './lanes/lane-lock.ts';
import { holdLink, holdsLink } from './lanes/login-spacing.ts';
import { promoteAll, promoteNext } from './lanes/promote-next.ts';
import { refundTokens } from './refund-tokens.ts';

/** What `end` must know of a job before it takes the lane's lock. */
export interface LaneJob {
  readonly id: string;
  readonly lane: string | null;
}

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

/** The end of a run, one of several that share a transaction. */
export interface EndOfRun {
  readonly job: LaneJob;
  readonly outcome: Outcome;
  readonly run: NonNullable<EndGuard['run']>;
}

/**
 * `end` for several runs, in the order of `ends`, with one statement for all of each kind. PostgreSQL only.
 * Without a link to hold back, what follows does not wait for the answers before it.
 */
export async function endTogether(
  tx: Transaction,
  ends: readonly EndOfRun[],
): Promise<(number | null)[]> {
  const lanes = new Map(ends.flatMap(({ job }) => (job.lane === null ? [] : [[job.lane, job.id]])));
  const locked = lockLanes(tx, new Set(lanes.keys()));
  const written = closeRuns(tx, ends);
  const held = ends.some(({ outcome }) => holdsLink(outcome)) ? holdLinks(tx, written) : null;
  const promoted = held === null ? promoteAll(tx, lanes) : held.then(() => promoteAll(tx, lanes));
  const [, closed] = await Promise.all([locked, written, promoted]);
  await followEnds(tx, closed);
  return closed.map(({ ended }) => ended?.finished_at ?? null);
}

interface Closed {
  readonly outcome: Outcome;
  readonly ended: EndedJob | undefined;
}

function byInstitution({ ended: a }: Closed, { ended: b }: Closed): number {
  const byProvider = inLockOrder(a?.provider ?? '', b?.provider ?? '');
  return byProvider || inLockOrder(a?.env_scope ?? '', b?.env_scope ?? '');
}

/** Ends the runs that still have their job. */
async function closeRuns(tx: Transaction, ends: readonly EndOfRun[]): Promise<Closed[]> {
  const lines = ends.map(
    ({ job, outcome, run }): EndRecord => ({
      ...endColumns(outcome),
      jobId: job.id,
      owner: run.owner,
      attempt: run.attempt,
    }),
  );
  const rows = await writeEnds(tx, {
    ends: toRecords(END_FIELDS, lines.entries()),
    ids: lines.map(({ jobId }) => jobId),
  });
  const byLine = new Map(rows.map(({ n, ...row }) => [n, endedJob(row)]));
  const closed = ends.map(({ outcome }, n) => ({ outcome, ended: byLine.get(n) }));
  await appendJobEvents(tx, 'job.finished', rows);
  return closed;
}

/** Before the next jobs become the heads, which this holds back. */
async function holdLinks(tx: Transaction, written: Promise<readonly Closed[]>): Promise<void> {
  for (const { outcome, ended } of await written) {
    if (ended) await holdLink(tx, ended.account_link_id, ended.finished_at, outcome);
  }
}

/** The caller holds the lock of the job's lane. */
async function endInLane(
  tx: Transaction,
  job: LaneJob,
  outcome: Outcome,
  guard: EndGuard,
): Promise<number | null> {
  const ended = await closeJob(tx, job, outcome, guard);
  await followEnds(tx, [{ outcome, ended }]);
  return ended?.finished_at ?? null;
}

type EndedJob = EndedRow & { readonly finished_at: number };

/** Ends the job and makes the next one the head of its lane. */
async function closeJob(
  tx: Transaction,
  job: LaneJob,
  outcome: Outcome,
  guard: EndGuard,
): Promise<EndedJob | undefined> {
  const [row] = await writeEnd(
    tx,
    {
      ...endColumns(outcome),
      jobId: job.id,
      guardStatus: guard.status ?? '',
      guardOwner: guard.run?.owner ?? '',
      guardAttempt: guard.run?.attempt ?? 0,
    },
    `${outcome.status} ${guardOf(guard)}`,
  );
  const ended = row && endedJob(row);
  if (ended === undefined) return undefined;
  await appendJobEvents(tx, 'job.finished', [ended]);
  const { finished_at: at } = ended;
  // Before the next job becomes the head, which this holds back.
  await holdLink(tx, ended.account_link_id, at, outcome);
  if (job.lane !== null) await promoteNext(tx, job.lane, { seq: ended.seq, at });
  return ended;
}

function endColumns({ status, error, result, resultAsFile }: Outcome) {
  return {
    endState: status,
    failure: error,
    sealedResult: result,
    resultAsFile: resultAsFile ? 1 : 0,
  };
}

function endedJob(row: EndedRow): EndedJob {
  const { finished_at } = row;
  if (finished_at === null) throw new Error(`job ${row.id} has ended and never finished`);
  return { ...row, finished_at };
}

/** What else follows from the ends of jobs: keys of calls, quota, breakers, for all of them in this order. */
async function followEnds(tx: Transaction, closed: readonly Closed[]): Promise<void> {
  const jobs = closed.flatMap(({ ended }) => ended ?? []);
  await noteFinishedCalls(tx, jobs);
  await refundTokens(
    tx,
    jobs.filter(({ started_at }) => started_at === null),
  );
  // By institution and environment, so that two transactions never wait for each other in a circle.
  for (const { outcome, ended } of closed.toSorted(byInstitution)) {
    if (ended) await followEnd(tx, outcome, ended);
  }
}

async function followEnd(tx: Transaction, outcome: Outcome, ended: EndedJob): Promise<void> {
  const { id, finished_at: finishedAt } = ended;
  if (ended.env_scope !== 'sandbox') {
    await recordOutcome(
      tx,
      { ...ended, env_scope: ended.env_scope, at: finishedAt, inTrouble: ended.in_trouble > 0 },
      outcome,
      jobErrorOf(outcome.error)?.code,
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
 * Ends at most `limit` waiting jobs of each of these lanes, newest first, so that none becomes the head only to
 * end next; for unlinking and deletion. Returns whether there may be more.
 */
export async function endQueuedOfLanes(
  tx: Transaction,
  lanes: readonly string[],
  outcome: Outcome,
  limit: number,
): Promise<boolean> {
  await lockLanes(tx, new Set(lanes));
  const closed: Closed[] = [];
  let more = false;
  for (const lane of lanes) {
    const jobs = await queuedOfLane(tx, lane, limit);
    for (const job of jobs) {
      closed.push({ outcome, ended: await closeJob(tx, job, outcome, { status: 'QUEUED' }) });
    }
    more ||= jobs.length >= limit;
  }
  await followEnds(tx, closed);
  return more;
}

/** The head comes last, and only if it is one of so many. */
async function queuedOfLane(tx: Transaction, lane: string, limit: number): Promise<LaneJob[]> {
  const queued = tx.db.selectFrom('jobs').select(['id', 'lane']).where('lane', '=', lane);
  const waiting = await queued.where(IS_WAITING).orderBy('seq', 'desc').limit(limit).execute();
  if (waiting.length >= limit) return waiting;
  return [...waiting, ...(await queued.where(HOLDS_LANE).where(IS_QUEUED).execute())];
}
