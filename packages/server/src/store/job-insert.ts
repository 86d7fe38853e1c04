import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_AHEAD } from '../jobs/progress.ts';
import { compiled, type SlotOf } from './compiled.ts';
import { addEvents } from './job-events.ts';
import { HOLDS_LANE, IS_WAITING } from './job-predicates.ts';
import { laneOf, lockLane } from './lane-lock.ts';
import type { Transaction } from './script.ts';

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
  const lane = accepted.accountLinkId ? laneOf(accepted.accountLinkId, job.envScope) : null;
  if (lane !== null) await lockLane(tx, lane);
  const [inserted] = await insertRow(tx, {
    ...job,
    ...accepted,
    lane,
    linkWasOmitted: job.accountLinkId === null ? 1 : 0,
    queueDeadlineAt: accepted.now + job.queueLimitSeconds * 1000,
    chargedPeriods: JSON.stringify(accepted.chargedPeriods),
  });
  if (
    inserted?.account_link_id !== accepted.accountLinkId ||
    inserted.bank_account_credential_id !== accepted.bankAccountCredentialId
  ) {
    return false;
  }
  if (inserted.ready === 1) tx.signal({ kind: 'ready' });
  else if (lane !== null) await noteWaiting(tx, job.jobId, lane, inserted.seq, accepted.now);
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
    .values(newRow(tx, slot, laneIsTaken(slot('lane'))))
    .onConflict((conflict) => conflict.columns(KEY_COLUMNS).doNothing())
    .returning(['seq', 'ready', 'account_link_id', 'bank_account_credential_id']),
);

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

/** A new job's row. `behind`: another one is before it in its lane. */
function newRow(tx: Transaction, value: SlotOf<RowValues>, behind: RawBuilder<boolean>) {
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
    status: 'QUEUED' as const,
    ready: sql<number>`case when ${behind} then 0 else 1 end`,
    ready_at: sql<number | null>`case when ${behind} then null else ${tx.clock} end`,
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

async function noteWaiting(
  tx: Transaction,
  jobId: string,
  lane: string,
  seq: number,
  at: number,
): Promise<void> {
  const [row] = await countAhead(tx, { lane, seq });
  const ahead = row?.ahead ?? 1;
  const message = `앞선 작업 ${ahead > COUNTED_AHEAD ? `${COUNTED_AHEAD}건 이상` : `${ahead}건`}`;
  await addEvents(tx, [{ job_id: jobId, at, kind: 'waiting', message }]);
}

const countAhead = compiled((tx, slot: SlotOf<{ lane: string; seq: number }>) =>
  tx.db
    .selectFrom((eb) =>
      eb
        .selectFrom('jobs')
        .select('seq')
        .where('lane', '=', slot('lane'))
        .where(IS_WAITING)
        .where('seq', '<', slot('seq'))
        .limit(sql.lit(COUNTED_AHEAD))
        .as('waiting'),
    )
    .select(sql<number>`1 + count(*)`.as('ahead')),
);
