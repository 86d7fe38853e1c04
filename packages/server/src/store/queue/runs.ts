import { LIMITS } from '@changgu/contract';
import { sql } from 'kysely';
import { DAY_MS } from '../../rules/durations.ts';
import type { Outcome } from '../../rules/endings/endings.ts';
import { actorNamed } from '../../rules/principals/actor.ts';
import { ANNOUNCED_COLUMNS, aboutJob } from '../events/job-events.ts';
import { appendEvent } from '../transactions/append-event.ts';
import { recordAct } from '../transactions/audit.ts';
import {
  type BatchOutcome,
  batchedWrite,
  inIndexOrder,
  type Transaction,
  write,
} from '../transactions/script.ts';
import { type Suspension, suspend } from './call-rows.ts';
import { type EndOfRun, end, endTogether } from './end-jobs.ts';
import { NAMED } from './job-predicates.ts';
import { addToTimeline, durationMs } from './timeline.ts';

/** Retention of an artifact's bytes. */
export const ARTIFACT_RETENTION_MS = LIMITS.artifactRetentionDays * DAY_MS;

/** One run of a job: its worker, and the number of its take-over. */
export interface Owned {
  readonly id: string;
  readonly owner: string;
  readonly attempt: number;
}

/** One step that a connector reported, for the timeline. */
export interface Step {
  readonly message: string;
  /** How long ago it began, and its duration so far. */
  readonly agoMs: number;
  readonly tookMs: number;
}

export interface NewArtifact {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Hex digest of the plain bytes. */
  readonly sha256: string;
  /** Sealed. */
  readonly chunks: readonly Uint8Array[];
}

export interface FinishInput extends Owned {
  readonly lane: string | null;
  readonly organizationId: number;
  readonly outcome: Outcome;
  readonly artifacts: readonly NewArtifact[];
  /** Steps not yet written with a progress update. */
  readonly steps: readonly Step[];
  /** A credential that the institution rejected. */
  readonly suspension: Suspension | null;
}

/** The result of a mark before a request: anything but `passed` stops the connector. */
export type Mark = 'passed' | 'lost' | 'canceled' | 'late';

/**
 * Owner and attempt together, because one process may run a job again after its own lease expired,
 * while the first run is still ending.
 */
function isRunOf({ id, owner, attempt }: Owned) {
  return sql<boolean>`id = ${id} and ${NAMED.isRunning}
    and lease_owner = ${owner} and takeovers = ${attempt}`;
}

/** A run's writes. They have no effect once another run has the job. */
export const runScripts = {
  /** Updates the progress, which never decreases. False when the job has another run or none. */
  progress: write(
    async (
      tx,
      input: Owned & {
        readonly progress: number;
        readonly message: string | null;
        readonly steps: readonly Step[];
      },
    ): Promise<boolean> => {
      const row = await tx.db
        .updateTable('jobs')
        .set({
          progress: sql<number>`case when progress > ${input.progress} then progress else ${input.progress} end`,
          progress_message: input.message,
        })
        .where(isRunOf(input))
        .returning([...ANNOUNCED_COLUMNS, 'progress'])
        .executeTakeFirst();
      if (row === undefined) return false;
      await addSteps(tx, input.id, input.steps);
      const data = { status: 'RUNNING', action: row.action, progress: row.progress } as const;
      await appendEvent(tx, { ...aboutJob(row), type: 'job.progressed', data });
      tx.signal({ kind: 'progress', jobId: input.id });
      return true;
    },
  ),

  /** Counts an additional attempt within the run. */
  noteRetry: write(
    async (
      tx,
      input: Owned & { readonly message: string; readonly upstreamStatus: number | null },
    ): Promise<void> => {
      const row = await tx.db
        .updateTable('jobs')
        .set((eb) => ({ retry_count: eb('retry_count', '+', 1) }))
        .where(isRunOf(input))
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) return;
      await addToTimeline(tx, [
        {
          job_id: input.id,
          at: await tx.now(),
          kind: 'retry',
          message: input.message,
          upstream_status: input.upstreamStatus,
        },
      ]);
      tx.signal({ kind: 'progress', jobId: input.id });
    },
  ),

  /**
   * Marks that the next request may take effect at the institution. Succeeds once: refused for a run that
   * lost the job, was asked to cancel, is late or has already passed.
   */
  passPointOfNoReturn: write(async (tx, input: Owned): Promise<Mark> => {
    const at = await mark(tx, input, 'submit_step_at');
    if (at === null) return whyUnmarked(tx, input, 'submit_step_at');
    await addToTimeline(tx, [{ job_id: input.id, at, kind: 'point_of_no_return' }]);
    await recordEffect(tx, input.id);
    return 'passed';
  }),

  /** Marks that the next request carries a credential, after which no other worker takes the job over. */
  presentCredential: write(async (tx, input: Owned): Promise<Mark> => {
    const at = await mark(tx, input, 'credential_sent_at');
    return at === null ? whyUnmarked(tx, input, 'credential_sent_at') : 'passed';
  }),

  /** Ends the job with its result and files, whole or not at all. False when it has another run by now. */
  finish: inIndexOrder(batchedWrite(finishOne, finishTogether)),
};

async function finishOne(tx: Transaction, input: FinishInput): Promise<boolean> {
  const { job, outcome, run } = endOf(input);
  return keepResults(tx, input, await end(tx, job, outcome, { run }));
}

async function finishTogether(
  tx: Transaction,
  inputs: readonly FinishInput[],
): Promise<BatchOutcome<boolean>[]> {
  const finishedAt = await endTogether(tx, inputs.map(endOf));
  const outcomes: BatchOutcome<boolean>[] = [];
  for (const [n, input] of inputs.entries()) {
    const value = await keepResults(tx, input, finishedAt[n] ?? null);
    outcomes.push({ kind: 'done', value });
  }
  return outcomes;
}

function endOf(input: FinishInput): EndOfRun {
  const outcome = { ...input.outcome, files: input.artifacts };
  return { job: input, outcome, run: input };
}

/** What a job leaves behind, if it ended with this. */
async function keepResults(
  tx: Transaction,
  input: FinishInput,
  finishedAt: number | null,
): Promise<boolean> {
  if (finishedAt === null) return false;
  if (input.suspension) await suspend(tx, input.suspension);
  await addSteps(tx, input.id, input.steps);
  for (const artifact of input.artifacts) await addArtifact(tx, input, artifact, finishedAt);
  return true;
}

/** The row of the job goes after its retention; that it took effect, and who wanted it from where, stays on record. */
async function recordEffect(tx: Transaction, jobId: string): Promise<void> {
  const job = await tx.db
    .selectFrom('jobs')
    .select(['organization_id', 'submitted_by', 'submitted_from', 'action', 'env_scope'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  const origin = job.submitted_from === null ? undefined : JSON.parse(job.submitted_from);
  await recordAct(tx, actorNamed(job.submitted_by, origin), {
    organizationId: job.organization_id,
    act: 'job.take_effect',
    target: jobId,
    details: { action: job.action, env_scope: job.env_scope },
  });
}

type MarkColumn = 'submit_step_at' | 'credential_sent_at';

/** When it was marked; null when the owner no longer has the job, or it was already marked. */
async function mark(tx: Transaction, input: Owned, column: MarkColumn): Promise<number | null> {
  const marked = await tx.db
    .updateTable('jobs')
    .set({ [column]: tx.clock })
    .where(isRunOf(input))
    .where(column, 'is', null)
    .where('cancel_requested', '=', 0)
    .where('deadline_at', '>', tx.clock)
    .returning(`${column} as at`)
    .executeTakeFirst();
  return marked?.at ?? null;
}

async function whyUnmarked(
  tx: Transaction,
  input: Owned,
  column: MarkColumn,
): Promise<Exclude<Mark, 'passed'>> {
  const row = await tx.db
    .selectFrom('jobs')
    .select(['cancel_requested', `${column} as at`])
    .where(isRunOf(input))
    .executeTakeFirst();
  if (row === undefined || row.at !== null) return 'lost';
  return row.cancel_requested === 1 ? 'canceled' : 'late';
}

async function addSteps(tx: Transaction, jobId: string, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return;
  const now = await tx.now();
  await addToTimeline(
    tx,
    steps.map((step) => ({
      job_id: jobId,
      at: Math.round(now - step.agoMs),
      kind: 'step',
      message: step.message,
      duration_ms: durationMs(0, step.tookMs),
    })),
  );
}

async function addArtifact(
  tx: Transaction,
  job: FinishInput,
  artifact: NewArtifact,
  finishedAt: number,
): Promise<void> {
  await tx.db
    .insertInto('artifacts')
    .values({
      id: artifact.id,
      job_id: job.id,
      organization_id: job.organizationId,
      name: artifact.name,
      content_type: artifact.contentType,
      size_bytes: artifact.sizeBytes,
      sha256: artifact.sha256,
      chunk_count: artifact.chunks.length,
      created_at: finishedAt,
      expires_at: finishedAt + ARTIFACT_RETENTION_MS,
      bytes_removed: 0,
    })
    .execute();
  for (const [number, bytes] of artifact.chunks.entries()) {
    await tx.db
      .insertInto('artifact_chunks')
      .values({ artifact_id: artifact.id, number, bytes })
      .execute();
  }
}
