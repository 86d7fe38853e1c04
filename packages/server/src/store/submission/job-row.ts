import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_AHEAD } from '../../rules/jobs/progress.ts';
import type { Origin } from '../../rules/principals/actor.ts';
import type { ReceivedCiphertexts } from '../../rules/submission/bind-ciphertexts.ts';
import { ANNOUNCED_COLUMNS } from '../events/job-events.ts';
import { IS_WAITING } from '../queue/job-predicates.ts';
import { laneOf } from '../queue/lanes/lane-lock.ts';
import { holderOf, laneIsHeld, nextTurn } from '../queue/lanes/lane-turns.ts';
import { heldUntil } from '../queue/lanes/login-spacing.ts';
import type { SlotOf } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';

/** An accepted job, without what its transaction decides. */
export interface NewJob {
  readonly jobId: string;
  readonly organizationId: number;
  readonly envScope: EnvScope;
  /** The environment whose lane it joins; its own unless two environments share a site. */
  readonly laneScope: EnvScope;
  readonly operation: 'submit' | 'all_accounts';
  readonly idempotencyKey: string;
  /** '' for single submits, unless their key was derived and has an older job. */
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
  /** What they are known by; omitted when there are none. */
  readonly ciphertexts?: ReceivedCiphertexts;
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
  /** The request that submits it; omitted when there is none. */
  readonly origin?: Origin;
  /** Whether it may take effect at the institution: then its row keeps the origin for the audit log. */
  readonly irreversible: boolean;
}

export interface AcceptedAs {
  readonly now: number;
  readonly accountLinkId: string | null;
  readonly bankAccountCredentialId: string | null;
  readonly identityHash: string;
  readonly chargedPeriods: readonly string[];
}

/** A submission of a batch, and the job that it becomes. */
export interface AcceptedJob {
  readonly job: NewJob;
  readonly accepted: AcceptedAs;
}

export interface RowValues
  extends Omit<
      NewJob,
      | 'accountLinkId'
      | 'ciphertexts'
      | 'queueLimitSeconds'
      | 'laneScope'
      | 'origin'
      | 'irreversible'
    >,
    Omit<AcceptedAs, 'chargedPeriods'> {
  readonly submittedFrom: string | null;
  readonly lane: string | null;
  readonly linkWasOmitted: number;
  readonly queueDeadlineAt: number;
  readonly chargedPeriods: string;
}

export function toRow({ job, accepted }: AcceptedJob): RowValues {
  const { accountLinkId } = accepted;
  return {
    ...sharedValues(job, accepted),
    lane: accountLinkId ? laneOf(accountLinkId, job.laneScope) : null,
    linkWasOmitted: job.accountLinkId === null ? 1 : 0,
  };
}

export function sharedValues<
  Job extends Pick<NewJob, 'queueLimitSeconds' | 'origin' | 'irreversible'>,
  As extends Pick<AcceptedAs, 'now' | 'chargedPeriods'>,
>(job: Job, accepted: As) {
  return {
    ...job,
    ...accepted,
    submittedFrom: job.irreversible && job.origin ? JSON.stringify(originIn(job.origin)) : null,
    queueDeadlineAt: accepted.now + job.queueLimitSeconds * 1000,
    chargedPeriods: JSON.stringify(accepted.chargedPeriods),
  };
}

/** Only what the audit log stores, because an origin may be a whole request. */
function originIn({ traceId, address, userAgent }: Origin): Origin {
  return { traceId, address: address ?? null, userAgent: userAgent ?? null };
}

export const RETURNED = [
  ...ANNOUNCED_COLUMNS,
  'seq',
  'ready',
  'bank_account_credential_id',
] as const;

export const KEY_COLUMNS = [
  'organization_id',
  'env_scope',
  'operation',
  'idempotency_key',
  'idempotency_account',
] as const;

/** Jobs behind the one that holds the lane, counted up to the number that callers are told. */
function countWaiting(tx: Transaction, lane: string | null): RawBuilder<number> {
  // A range, so that the order names the lane too: only the lane index provides that order.
  return sql`(select count(*) from (select 1 from jobs as other
    where other.lane >= ${lane} and other.lane <= ${lane} and other.seq > ${holderOf(tx, lane)} and ${IS_WAITING}
    order by other.lane, other.seq limit ${sql.lit(COUNTED_AHEAD)}) as waiting)`;
}

/** A new job's row. `before`: the number of jobs of the same statement that join its lane ahead of it. */
export function newRow(tx: Transaction, value: SlotOf<RowValues>, before: RawBuilder<number>) {
  const lane = value('lane');
  const behind = sql`(${before} > 0 or ${laneIsHeld(tx, lane)})`;
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
    submitted_from: value('submittedFrom'),
    status: 'QUEUED' as const,
    ready: sql<number>`case when ${behind} then 0 else 1 end`,
    ready_at: sql<number | null>`case when ${behind} then null else ${tx.clock} end`,
    turn: sql<number | null>`case when ${behind} then null else ${nextTurn(tx, lane)} end`,
    held_until: heldUntil(value('accountLinkId'), value('envScope')),
    waited_behind: sql<number>`case when ${laneIsHeld(tx, lane)} then 1 + ${countWaiting(tx, lane)} else 0 end + ${before}`,
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

/** The id itself, or null when it was unlinked while this waited for the lane's lock. */
function stillThere(
  table: 'account_links' | 'bank_accounts',
  id: string | null,
): RawBuilder<string | null> {
  return sql`(select id from ${sql.table(table)} where id = ${id} and status <> 'UNLINKED')`;
}
