import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
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
  const taken = lane === null ? sql<boolean>`false` : laneIsTaken(lane);
  const inserted = await tx.db
    .insertInto('jobs')
    .values({
      id: job.jobId,
      organization_id: job.organizationId,
      env_scope: job.envScope,
      operation: job.operation,
      idempotency_key: job.idempotencyKey,
      idempotency_account: job.idempotencyAccount,
      submitted_by: job.submittedBy,
      provider: job.provider,
      action: job.action,
      result_schema: job.resultSchema,
      product_version_id: job.productVersionId,
      account_link_id: stillThere('account_links', accepted.accountLinkId),
      bank_account_credential_id: stillThere('bank_accounts', accepted.bankAccountCredentialId),
      lane,
      params: job.params,
      encrypted_fields: job.encryptedFields,
      duplicate_fields: job.duplicateFields,
      identity_hash: accepted.identityHash,
      identity_hash_without_link: job.identityWithoutLink,
      link_was_omitted: job.accountLinkId === null ? 1 : 0,
      sandbox_outcome: job.sandboxOutcome,
      status: 'QUEUED',
      ready: sql<number>`case when ${taken} then 0 else 1 end`,
      ready_at: sql<number | null>`case when ${taken} then null else ${tx.clock} end`,
      progress: 0,
      progress_message: null,
      takeovers: 0,
      retry_count: 0,
      cancel_requested: 0,
      timeout_seconds: job.timeoutSeconds,
      queue_deadline_at: accepted.now + job.queueLimitSeconds * 1000,
      usage_tokens: job.usageTokens,
      charged_periods: JSON.stringify(accepted.chargedPeriods),
      submitted_at: accepted.now,
      result_as_file: 0,
    })
    .onConflict((conflict) =>
      conflict
        .columns([
          'organization_id',
          'env_scope',
          'operation',
          'idempotency_key',
          'idempotency_account',
        ])
        .doNothing(),
    )
    .returning(['seq', 'ready', 'account_link_id', 'bank_account_credential_id'])
    .executeTakeFirst();
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

function laneIsTaken(lane: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from jobs as other where other.lane = ${lane} and ${HOLDS_LANE})`;
}

/** The id itself, or null when it was unlinked while the lane's lock was waited for. */
function stillThere(
  table: 'account_links' | 'bank_accounts',
  id: string | null,
): RawBuilder<string | null> | null {
  if (id === null) return null;
  return sql`(select id from ${sql.table(table)} where id = ${id} and status <> 'UNLINKED')`;
}

async function noteWaiting(
  tx: Transaction,
  jobId: string,
  lane: string,
  seq: number,
  at: number,
): Promise<void> {
  const { rows } = await sql<{ ahead: number }>`select 1 + count(*) as ahead from (
    select 1 from jobs where lane = ${lane} and ${IS_WAITING} and seq < ${seq}
    limit ${sql.lit(COUNTED_WAITING)}) as waiting`.execute(tx.db);
  const ahead = rows[0]?.ahead ?? 1;
  const message = `앞선 작업 ${ahead > COUNTED_WAITING ? `${COUNTED_WAITING}건 이상` : `${ahead}건`}`;
  await addEvents(tx, [{ job_id: jobId, at, kind: 'waiting', message }]);
}

/** A long queue need not be counted whole. */
const COUNTED_WAITING = 1_000;
