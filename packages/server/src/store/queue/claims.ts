import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { fairShare } from '../../rules/claiming/fair-share.ts';
import type { Pool } from '../../rules/claiming/pool.ts';
import { CLAIMED_PROGRESS, CLAIMED_TEXT } from '../../rules/jobs/progress.ts';
import { ANNOUNCED_COLUMNS, announced, appendJobEvents } from '../events/job-events.ts';
import type { Database } from '../schema/tables.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { atOnce, inIndexOrder, type Transaction, waiting, write } from '../transactions/script.ts';
import { IN_POOL, IS_RUNNING, NAMED } from './job-predicates.ts';
import { type KnownWork, NOTHING_KNOWN, startedSince } from './known-work.ts';
import { leaseEnd } from './leases.ts';
import { chooseReady, type ReadyJobsInput } from './ready/ready-jobs.ts';
import { readyJobs } from './ready/ready-statements.ts';
import { addToTimeline } from './timeline.ts';

/** How often a job is taken over from a lost worker at most. */
export const MAX_TAKEOVERS = 2;

export interface ClaimInput extends ReadyJobsInput {
  /** The claimer: a name unique to the worker and the start of its process. */
  readonly owner: string;
  readonly leaseMs: number;
  /** On SQLite a claim of nothing is answered only when there is something, or when it is recalled. */
  readonly mayWait?: boolean;
  readonly waitedMs?: number;
}

/** A job that now belongs to its claimer, with everything needed to run it. */
export interface ClaimedJob {
  readonly id: string;
  /** Distinguishes this run of the job from earlier ones: how often it was taken over. */
  readonly attempt: number;
  readonly lane: string | null;
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly action: string;
  readonly accountLinkId: string | null;
  readonly bankAccountCredentialId: string | null;
  /** JSON as sent. */
  readonly params: string;
  /** Sealed JSON. */
  readonly encryptedFields: Uint8Array | null;
  readonly duplicateFields: string | null;
  readonly sandboxOutcome: string | null;
  /** W3C traceparent of the submission. */
  readonly traceContext: string | null;
  /** Business time, as its start. */
  readonly submittedAt: number;
  readonly startedAt: number;
  /** From the claim to the deadline. */
  readonly remainingMs: number;
}

export interface Claim {
  readonly jobs: readonly ClaimedJob[];
  /** Where the next claim starts looking, unless older jobs have become ready by then. */
  readonly next: number;
  /** What the next claim that looks for everything may take as known. */
  readonly since?: KnownWork;
  /** It took as many as it could in one statement: another one may find more. */
  readonly more?: true;
  /** How long it waited until it was made. */
  readonly waitedMs?: number;
}

const CLAIMED_COLUMNS = [
  ...ANNOUNCED_COLUMNS,
  'seq',
  'takeovers',
  'lane',
  'provider',
  'bank_account_credential_id',
  'params',
  'encrypted_fields',
  'duplicate_fields',
  'sandbox_outcome',
  'trace_context',
  'deadline_at',
] as const;

/**
 * Takes the oldest ready jobs, at a cost independent of the queue behind them. An
 * organization gets at most half of the slots while others wait.
 */
const claim = write(async (tx, input: ClaimInput): Promise<Claim> => {
  const { chosen, now, ...known } = await chooseReady(tx, input);
  if (chosen.length === 0) return { jobs: [], ...known };
  const { owner, leaseMs } = input;
  const seqs = Object.fromEntries(chosen.map(({ seq }, index) => [`seq${index}`, seq]));
  const rows = await startRunning(tx, { ...seqs, owner, leaseMs, now }, String(chosen.length));
  await announceStarted(tx, rows);
  const jobs = rows.toSorted((a, b) => a.seq - b.seq).map((row) => toClaimedJob(row, now));
  return { jobs, ...known, ...(input.waitedMs === undefined ? {} : { waitedMs: input.waitedMs }) };
});

/**
 * PostgreSQL only: the same in one statement, so that an idle worker starts a job with one round trip. It takes no
 * more than any organization may still have; null where that is nothing, or where it finds nothing.
 */
async function claimAtOnce(tx: Transaction, input: ClaimInput): Promise<Claim | null> {
  const { owner, leaseMs, pool, from = 0 } = input;
  const most = Math.max(0, ...input.held.map(([, count]) => count));
  const limit = Math.min(input.limit, fairShare(input.slots) - most);
  if (from === 0 || limit <= 0) return null;
  const found = await startOldest(tx, { owner, leaseMs, from, limit }, pool);
  const rows = found.toSorted((a, b) => a.seq - b.seq);
  const last = rows.at(-1);
  if (last === undefined) return null;
  await announceStarted(tx, rows);
  const jobs = rows.map((row) => toClaimedJob(row, row.now));
  const mayLeaveSome = jobs.length === limit && limit < input.limit;
  return { jobs, next: last.seq + 1, ...(mayLeaveSome ? { more: true } : {}) };
}

async function announceStarted(tx: Transaction, rows: readonly ClaimedRow[]): Promise<void> {
  for (const { id } of rows) tx.signal({ kind: 'progress', jobId: id });
  await appendJobEvents(tx, 'job.started', rows);
}

interface StartValues {
  readonly owner: string;
  readonly leaseMs: number;
}

type ChosenValues = StartValues &
  Readonly<Record<`seq${number}`, number>> & { readonly now: number };

/** The variant is the number of jobs. */
const startRunning = compiled((tx, slot: SlotOf<ChosenValues>, count: string) => {
  const seqs = Array.from({ length: Number(count) }, (_, index) => slot(`seq${index}`));
  const update = tx.db
    .updateTable('jobs')
    .set(running(tx, slot, sql`${slot('now')}`))
    .where('seq', 'in', seqs)
    .where(NAMED.isReady)
    .returning(CLAIMED_COLUMNS);
  return announced(tx, 'job.started', update);
});

type OldestValues = StartValues & { readonly from: number; readonly limit: number };

const startOldest = compiled((tx, slot: SlotOf<OldestValues>, pool: Pool) => {
  const now = sql<number>`(select now from time)`;
  const oldest = readyJobs(tx, slot, pool).select('seq').orderBy('seq');
  const update = tx.db
    .with(
      (time) => time('time').materialized(),
      (db) => db.selectNoFrom(tx.clock.as('now')),
    )
    .with(
      (heads) => heads('heads').materialized(),
      () => oldest,
    )
    .updateTable('jobs')
    .set(running(tx, slot, now))
    .where(sql<boolean>`seq = any(array(select seq from heads))`)
    .where(NAMED.isReady)
    .returning([...CLAIMED_COLUMNS, now.as('now')]);
  return announced(tx, 'job.started', update);
});

/** What a claim writes. */
function running(tx: Transaction, slot: SlotOf<StartValues>, now: RawBuilder<number>) {
  const startedAt = sql<number>`case when ready_at > ${now} then ready_at else ${now} end`;
  return {
    status: sql.lit('RUNNING' as const),
    ready: sql.lit(0),
    progress: CLAIMED_PROGRESS,
    progress_message: CLAIMED_TEXT,
    lease_owner: slot('owner'),
    lease_until: leaseEnd(tx, slot('leaseMs')),
    started_at: startedAt,
    deadline_at: sql<number>`${startedAt} + cast(timeout_seconds as bigint) * 1000`,
  };
}

/** Takes over running jobs whose worker lost its lease before the point of no return. */
const takeOver = write(
  async (
    tx,
    input: Pick<ClaimInput, 'owner' | 'leaseMs' | 'pool' | 'limit' | 'since'>,
  ): Promise<ClaimedJob[]> => {
    const now = await tx.now();
    const lost = await tx.db
      .selectFrom('jobs')
      .select('seq')
      .where(IS_RUNNING)
      .where(IN_POOL[input.pool])
      // Leases have no index, because a heartbeat would have to rewrite it.
      .where('started_at', '>=', startedSince(input.since ?? NOTHING_KNOWN, now))
      .where('lease_until', '<', await tx.realNow())
      .where('submit_step_at', 'is', null)
      .where('credential_sent_at', 'is', null)
      .where('cancel_requested', '=', 0)
      .where('takeovers', '<', MAX_TAKEOVERS)
      .where('deadline_at', '>', now)
      .orderBy('started_at')
      .limit(input.limit)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    if (lost.length === 0) return [];
    const rows = await tx.db
      .updateTable('jobs')
      .set((eb) => ({
        lease_owner: input.owner,
        lease_until: leaseEnd(tx, input.leaseMs),
        takeovers: eb('takeovers', '+', 1),
        retry_count: eb('retry_count', '+', 1),
      }))
      .where(
        'seq',
        'in',
        lost.map(({ seq }) => seq),
      )
      .where(NAMED.isRunning)
      .returning(CLAIMED_COLUMNS)
      .execute();
    await addToTimeline(
      tx,
      rows.map((row) => ({ job_id: row.id, at: now, kind: 'taken_over' })),
    );
    for (const { id } of rows) tx.signal({ kind: 'progress', jobId: id });
    return rows.map((row) => toClaimedJob(row, now));
  },
);

/** Not hedged: a claim that ran twice would take jobs that no worker knows of until their leases end. */
export const claimScripts = {
  claim: waiting(inIndexOrder(atOnce(claim, claimAtOnce)), {
    waitsFor: ({ mayWait, pool }, { jobs }) => (mayWait && jobs.length === 0 ? pool : null),
    again: (input, { seq, waitedMs }) => ({
      ...input,
      from: Math.min(input.from ?? 0, seq),
      waitedMs: (input.waitedMs ?? 0) + waitedMs,
    }),
  }),
  takeOver: inIndexOrder(takeOver),
};

type ClaimedRow = Pick<Selectable<Database['jobs']>, (typeof CLAIMED_COLUMNS)[number]>;

function toClaimedJob(row: ClaimedRow, now: number): ClaimedJob {
  if (row.started_at === null || row.deadline_at === null) {
    throw new Error(`job ${row.id} is running but never started`);
  }
  return {
    id: row.id,
    attempt: row.takeovers,
    lane: row.lane,
    organizationId: row.organization_id,
    envScope: row.env_scope,
    provider: row.provider,
    action: row.action,
    accountLinkId: row.account_link_id,
    bankAccountCredentialId: row.bank_account_credential_id,
    params: row.params,
    encryptedFields: row.encrypted_fields,
    duplicateFields: row.duplicate_fields,
    sandboxOutcome: row.sandbox_outcome,
    traceContext: row.trace_context,
    submittedAt: row.submitted_at,
    startedAt: row.started_at,
    remainingMs: Math.max(0, row.deadline_at - now),
  };
}
