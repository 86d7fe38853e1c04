import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_AHEAD } from '../../rules/jobs/progress.ts';
import { poolOf } from '../../rules/lanes/pool.ts';
import { HOLDS_LANE, IS_WAITING } from '../queue/job-predicates.ts';
import { laneOf, lockLane } from '../queue/lane-lock.ts';
import { heldUntil } from '../queue/login-spacing.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';

/** A job as it is accepted, less what its transaction decides. */
export interface NewJob {
  readonly jobId: string;
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly operation: 'submit' | 'all_accounts';
  readonly idempotencyKey: string;
  /** '' for single submits. */
  readonly idempotencyAccount: string;
  readonly submittedBy: string;
  readonly provider: string;
  readonly action: string;
  readonly resultSchema: string;
  readonly productVersionId: number | null;
  /** JSON as sent. */
  readonly params: string;
  /** Sealed. */
  readonly encryptedFields: Uint8Array | null;
  /** JSON array of names, or null. */
  readonly duplicateFields: string | null;
  readonly identityWithoutLink: string;
  /** As sent; null when omitted. */
  readonly accountLinkId: string | null;
  readonly sandboxOutcome: string | null;
  /** W3C traceparent; null without tracing. */
  readonly traceContext: string | null;
  readonly usageTokens: number;
  readonly timeoutSeconds: number;
  readonly queueLimitSeconds: number;
}

export interface AcceptedAs {
  readonly now: number;
  readonly accountLinkId: string | null;
  readonly bankAccountCredentialId: string | null;
  readonly identityHash: string;
  readonly chargedPeriods: readonly string[];
}

/**
 * Queues a job at the end of its lane, at its head when the lane is free. Takes the lane's lock.
 * @returns false when the key exists by now, or the link or bank account is gone; the caller rolls back
 */
export async function insertJob(
  tx: Transaction,
  job: NewJob,
  accepted: AcceptedAs,
): Promise<boolean> {
  const { accountLinkId, bankAccountCredentialId } = accepted;
  const lane = accountLinkId ? laneOf(accountLinkId, job.envScope) : null;
  if (lane !== null) await lockLane(tx, lane);
  const linkWasOmitted = job.accountLinkId === null ? 1 : 0;
  const values = { ...sharedValues(job, accepted), accountLinkId, lane, linkWasOmitted };
  const inserted = await insertRow(tx, { ...values, bankAccountCredentialId });
  return queued(tx, inserted, [{ accountLinkId, accountId: bankAccountCredentialId }]);
}

/** What the lines of an all-accounts call have in common. */
export type NewLineJob = Omit<
  NewJob,
  'jobId' | 'idempotencyAccount' | 'params' | 'identityWithoutLink' | 'accountLinkId'
>;

/** A line as it is accepted. */
export interface NewLine {
  readonly jobId: string;
  readonly accountLinkId: string;
  readonly accountId: string;
  /** JSON: the params of the call and the account. */
  readonly params: string;
  readonly identityHash: string;
  readonly identityWithoutLink: string;
}

/**
 * `insertJob` for many accounts at once, in this order. The caller holds the locks of their lanes.
 * @returns false when one of the keys exists by now, or a link or bank account is gone; the caller rolls back
 */
export async function insertLines(
  tx: Transaction,
  job: NewLineJob,
  accepted: Pick<AcceptedAs, 'now' | 'chargedPeriods'>,
  lines: readonly NewLine[],
): Promise<boolean> {
  const lengths = new Map<string, number>();
  const placed = lines.map((line) => {
    const lane = laneOf(line.accountLinkId, job.envScope);
    const before = lengths.get(lane) ?? 0;
    lengths.set(lane, before + 1);
    return { ...line, lane, before };
  });
  const values = { ...sharedValues(job, accepted), linkWasOmitted: 0 };
  const inserted = await insertRows(tx, { ...values, lines: JSON.stringify(placed) });
  return queued(
    tx,
    inserted.toSorted((a, b) => a.seq - b.seq),
    lines,
  );
}

function sharedValues<
  Job extends Pick<NewJob, 'queueLimitSeconds'>,
  As extends Pick<AcceptedAs, 'now' | 'chargedPeriods'>,
>(job: Job, accepted: As) {
  return {
    ...job,
    ...accepted,
    queueDeadlineAt: accepted.now + job.queueLimitSeconds * 1000,
    chargedPeriods: JSON.stringify(accepted.chargedPeriods),
  };
}

interface QueuedRow {
  readonly id: string;
  readonly seq: number;
  readonly ready: number;
  readonly env_scope: EnvScope;
  readonly account_link_id: string | null;
  readonly bank_account_credential_id: string | null;
}

/** Were all of them queued as they should be? Then the engine is told. */
function queued(
  tx: Transaction,
  rows: readonly QueuedRow[],
  wanted: readonly {
    readonly accountLinkId: string | null;
    readonly accountId: string | null;
  }[],
): boolean {
  const complete = wanted.every(({ accountLinkId, accountId }, index) => {
    const row = rows[index];
    return row?.account_link_id === accountLinkId && row.bank_account_credential_id === accountId;
  });
  if (!complete) return false;
  const head = rows.find(({ ready }) => ready === 1);
  if (head) tx.signal({ kind: 'ready', pool: poolOf(head.env_scope) });
  return true;
}

interface RowValues
  extends Omit<NewJob, 'accountLinkId' | 'queueLimitSeconds'>,
    Omit<AcceptedAs, 'chargedPeriods'> {
  readonly lane: string | null;
  readonly linkWasOmitted: number;
  readonly queueDeadlineAt: number;
  readonly chargedPeriods: string;
}

const insertRow = compiled((tx, slot: SlotOf<RowValues>) =>
  tx.db
    .insertInto('jobs')
    .values(newRow(tx, slot, sql.lit(0)))
    .onConflict((conflict) => conflict.columns(KEY_COLUMNS).doNothing())
    .returning(RETURNED),
);

/** Positions, within a line, of the columns that differ between lines. */
const LINE_FIELDS = {
  jobId: 'jobId',
  accountLinkId: 'accountLinkId',
  lane: 'lane',
  idempotencyAccount: 'accountId',
  bankAccountCredentialId: 'accountId',
  params: 'params',
  identityHash: 'identityHash',
  identityWithoutLink: 'identityWithoutLink',
} as const satisfies Partial<Record<keyof RowValues, keyof NewLine | 'lane'>>;

type SharedValues = Omit<RowValues, keyof typeof LINE_FIELDS>;

const insertRows = compiled((tx, slot: SlotOf<SharedValues & { lines: string }>) => {
  const fields: Readonly<Record<string, string>> = LINE_FIELDS;
  // As a slot does, an expression stands where the statement's types promise a value.
  const value = ((name: keyof SharedValues) =>
    Object.hasOwn(fields, name)
      ? sql`(line.value ->> ${sql.lit(fields[name])})`
      : slot(name)) as SlotOf<RowValues>;
  const row = newRow(tx, value, sql`cast(line.value ->> 'before' as bigint)`);
  return tx.db
    .insertInto('jobs')
    .columns(Object.keys(row) as (keyof typeof row)[])
    .expression(
      sql`select ${sql.join(Object.values(row))}
        from ${tx.dialect.each(slot('lines'))} order by line.n`,
    )
    .onConflict((conflict) => conflict.columns(KEY_COLUMNS).doNothing())
    .returning(RETURNED);
});

const RETURNED = [
  'id',
  'seq',
  'ready',
  'env_scope',
  'account_link_id',
  'bank_account_credential_id',
] as const;

const KEY_COLUMNS = [
  'organization_id',
  'env_scope',
  'operation',
  'idempotency_key',
  'idempotency_account',
] as const;

/** Of no lane is nothing taken: `lane = null` is true of no row. */
function laneIsTaken(lane: string | null): RawBuilder<boolean> {
  return sql`exists (select 1 from jobs as other where other.lane = ${lane} and ${HOLDS_LANE})`;
}

/** Jobs behind the one that holds the lane, counted as far as they are told of. */
function countWaiting(lane: string | null): RawBuilder<number> {
  return sql`(select count(*) from (select 1 from jobs as other
    where other.lane = ${lane} and ${IS_WAITING} limit ${sql.lit(COUNTED_AHEAD)}) as waiting)`;
}

/** A new job's row. `before`: how many jobs of the same statement join its lane before it. */
function newRow(tx: Transaction, value: SlotOf<RowValues>, before: RawBuilder<number>) {
  const lane = value('lane');
  const behind = sql`(${before} > 0 or ${laneIsTaken(lane)})`;
  return {
    id: value('jobId'),
    organization_id: value('organizationId'),
    env_scope: value('envScope'),
    operation: value('operation'),
    idempotency_key: value('idempotencyKey'),
    idempotency_account: value('idempotencyAccount'),
    submitted_by: value('submittedBy'),
    provider: value('provider'),
    action: value('action'),
    result_schema: value('resultSchema'),
    product_version_id: value('productVersionId'),
    account_link_id: stillThere('account_links', value('accountLinkId')),
    bank_account_credential_id: stillThere('bank_accounts', value('bankAccountCredentialId')),
    lane: value('lane'),
    params: value('params'),
    encrypted_fields: value('encryptedFields'),
    duplicate_fields: value('duplicateFields'),
    identity_hash: value('identityHash'),
    identity_hash_without_link: value('identityWithoutLink'),
    link_was_omitted: value('linkWasOmitted'),
    sandbox_outcome: value('sandboxOutcome'),
    trace_context: value('traceContext'),
    status: 'QUEUED' as const,
    ready: sql<number>`case when ${behind} then 0 else 1 end`,
    ready_at: sql<number | null>`case when ${behind} then null else ${tx.clock} end`,
    held_until: heldUntil(value('accountLinkId'), value('envScope')),
    waited_behind: sql<number>`case when ${laneIsTaken(lane)} then 1 + ${countWaiting(lane)} else 0 end + ${before}`,
    progress: 0,
    progress_message: null,
    takeovers: 0,
    retry_count: 0,
    cancel_requested: 0,
    timeout_seconds: value('timeoutSeconds'),
    queue_deadline_at: value('queueDeadlineAt'),
    usage_tokens: value('usageTokens'),
    charged_periods: value('chargedPeriods'),
    submitted_at: value('now'),
    result_as_file: 0,
  };
}

/** The id itself, or null when it was unlinked while the lane's lock was waited for. */
function stillThere(
  table: 'account_links' | 'bank_accounts',
  id: string | null,
): RawBuilder<string | null> {
  return sql`(select id from ${sql.table(table)} where id = ${id} and status <> 'UNLINKED')`;
}
