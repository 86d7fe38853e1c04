import { type EndState, JOB_STATES } from '@changgu/contract';
import { sql } from 'kysely';
import type { Outcome } from '../../rules/endings/endings.ts';
import { mayBecome } from '../../rules/jobs/states.ts';
import { poolOf } from '../../rules/lanes/pool.ts';
import { ANNOUNCED_COLUMNS, announced, appendJobEvents } from '../events/job-events.ts';
import { noteReceipt } from '../receipts/note-receipt.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';
import { IN_TROUBLE, recordOutcome } from './breakers.ts';
import { noteFinishedCall } from './finished-call.ts';
import { HOLDS_LANE, IS_QUEUED, IS_WAITING, NAMED } from './job-predicates.ts';
import { lockLane } from './lane-lock.ts';
import { heldUntil, spaceLogins } from './login-spacing.ts';

/** How long a job's row, result and idempotency record live after its end, unless configured. */
export const JOB_RETENTION_MS = 30 * 86_400_000;

/** What `end` must know of a job before it takes the lane's lock. */
export interface LaneJob {
  readonly id: string;
  readonly lane: string | null;
}

/** Ends the job only if this still holds once the lane is locked. */
export interface EndGuard {
  readonly status?: 'QUEUED' | 'RUNNING';
  readonly run?: { readonly owner: string; readonly attempt: number };
}

/** The job that ended, for whoever comes after it. */
interface Predecessor {
  readonly seq: number;
  /** When it ended. */
  readonly at: number;
}

/**
 * Makes the oldest waiting job of a lane its head, unless the lane has a head or a running job.
 * The caller holds the lane's lock. A lane is in the order of `seq`, so that what comes after the job
 * that ended is found without the traces of all that went before.
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
        // A range, so that the order names the lane too: only the index of lanes gives that order.
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
 * lane, wipes what was encrypted, gives the tokens of a job that never ran back.
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
  return endInLane(tx, job, outcome, guard);
}

/** The caller holds the lock of the job's lane. */
async function endInLane(
  tx: Transaction,
  job: LaneJob,
  outcome: Outcome,
  guard: EndGuard,
): Promise<number | null> {
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
  if (ended === undefined || ended.finished_at === null) return null;
  const { finished_at: finishedAt } = ended;
  await appendJobEvents(tx, 'job.finished', [ended]);
  if (ended.operation === 'all_accounts') await noteFinishedCall(tx, ended);
  if (outcome.spacesLogins) await spaceLogins(tx, ended.account_link_id, finishedAt);
  if (job.lane !== null) await promoteNext(tx, job.lane, { seq: ended.seq, at: finishedAt });
  if (ended.started_at === null) await refundTokens(tx, ended);
  if (ended.env_scope !== 'sandbox') {
    await recordOutcome(
      tx,
      { ...ended, env_scope: ended.env_scope, at: finishedAt, inTrouble: ended.in_trouble > 0 },
      outcome.status,
      codeOf(outcome.error),
    );
  }
  if (ended.submit_step_at !== null) {
    const { status, files = [] } = outcome;
    const passedPointAt = ended.submit_step_at;
    await noteReceipt(tx, { id: job.id, status, passedPointAt, finishedAt, files });
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
    if ((await endInLane(tx, job, outcome, { status: 'QUEUED' })) !== null) count += 1;
  }
  return count;
}

type GuardKind = 'unguarded' | 'status' | 'run';

function guardOf(guard: EndGuard): GuardKind {
  if (guard.run !== undefined) return 'run';
  return guard.status === undefined ? 'unguarded' : 'status';
}

interface EndValues {
  readonly id: string;
  readonly status: Outcome['status'];
  readonly error: string | null;
  readonly result: Uint8Array | null;
  readonly resultAsFile: number;
  readonly guardStatus: string;
  readonly guardOwner: string;
  readonly guardAttempt: number;
}

type EndVariant = `${EndState} ${GuardKind}`;

const writeEnd = compiled((tx, slot: SlotOf<EndValues>, variant: EndVariant) => {
  const [status = '', guard] = variant.split(' ');
  const sources = JOB_STATES.filter((from) => mayBecome(from, status));
  // A database clock that was set back must not let the next job of the lane start before this end.
  const began = sql<number>`coalesce(started_at, ready_at, 0)`;
  const finishedAt = sql<number>`case when ${began} > ${tx.clock} then ${began} else ${tx.clock} end`;
  const update = tx.db
    .updateTable('jobs')
    .set({
      status: slot('status'),
      error: slot('error'),
      result: slot('result'),
      result_as_file: slot('resultAsFile'),
      ready: sql.lit(0),
      lease_owner: null,
      lease_until: null,
      progress: sql.lit(100),
      progress_message: null,
      encrypted_fields: null,
      finished_at: finishedAt,
      purge_at: sql<number>`${finishedAt} + ${sql.lit(JOB_RETENTION_MS)}`,
    })
    .where('id', '=', slot('id'))
    .where(
      NAMED.status,
      'in',
      sources.map((state) => sql.lit(state)),
    )
    .$if(guard === 'status', (query) =>
      query.where(sql<boolean>`${NAMED.status} = ${slot('guardStatus')}`),
    )
    .$if(guard === 'run', (query) =>
      query
        .where('lease_owner', '=', slot('guardOwner'))
        .where('takeovers', '=', slot('guardAttempt')),
    )
    .returning([
      ...ANNOUNCED_COLUMNS,
      'seq',
      'provider',
      'operation',
      'idempotency_key',
      'usage_tokens',
      'charged_periods',
      'submit_step_at',
    ])
    .returning(IN_TROUBLE.as('in_trouble'));
  return announced(tx, 'job.finished', update);
});

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
