import type { EnvScope, JobState } from '@changgu/contract';
import type { LinkPurpose } from '@changgu/contract/schemas';
import { wrongPurpose } from '../links/link-purpose.ts';
import { environmentRefusal, type OrganizationPolicy } from '../organizations/policy.ts';
import { type PeriodUsage, quotaExceeded, shortageOf } from '../quota/quota.ts';
import { jobsThatFit, storageExceeded } from '../quota/storage.ts';
import { ServiceError } from '../service-error.ts';
import type { Stop } from './decide-lines.ts';

/** The job that a key has created for an account. */
export interface LineJob {
  readonly id: string;
  readonly status: JobState;
}

/** An active bank account, as a line shows it. */
export interface LineAccount {
  readonly accountLinkId: string;
  readonly id: string;
  readonly maskedAccountNo: string;
  readonly job: LineJob | null;
}

/** The rows that decide an all-accounts call. */
export interface PlannedCallRows {
  readonly now: number;
  readonly organization: OrganizationPolicy;
  /** Empty in sandbox. */
  readonly usages: readonly PeriodUsage[];
  /** What the organization already stores. */
  readonly storedBytes: number;
  /** The request that the key was used for; null when no line was accepted with it. */
  readonly requestHash: string | null;
  /** Whether there is an active link that the call may use. */
  readonly linkFound: boolean;
  /** Set when all links have the other purpose: the one that the environment needs. */
  readonly unusedPurpose: LinkPurpose | null;
  /** The accounts of those links in the order of the answer; only the listed ones if the call lists some. */
  readonly accounts: readonly LineAccount[];
}

/** A call, as far as planning needs it. */
export interface CallFacts {
  readonly envScope: EnvScope;
  readonly usageTokens: number;
  readonly requestHash: string;
  readonly storageLimitBytes: number;
  /** What one job of the call stores. */
  readonly jobBytes: number;
  /** Null means all accounts. */
  readonly listedIds: ReadonlySet<string> | null;
}

/**
 * The accounts that need a job, in the order of the answer; none when the whole call is a replay.
 * @throws ServiceError policy, then the key, then links and accounts, then tokens (D42)
 */
export function planCall(rows: PlannedCallRows, call: CallFacts): readonly LineAccount[] {
  const fresh = openAccounts(rows, call);
  const stop = stopOf(rows, call, fresh);
  if (stop?.code === 'POLICY_QUOTA_EXCEEDED') {
    throw quotaExceeded(stop.short, fresh.length * call.usageTokens, rows.now, fresh.length);
  }
  if (stop) throw storageExceeded(rows.storedBytes, call.storageLimitBytes);
  return fresh;
}

/**
 * The accounts that have no job under the key, in the order of the answer.
 * @throws ServiceError policy, then the key, then links and accounts (D42)
 */
export function openAccounts(rows: PlannedCallRows, call: CallFacts): readonly LineAccount[] {
  const code = environmentRefusal(rows.organization, call.envScope, rows.now);
  if (code) throw new ServiceError(code);
  assertOwnKey(rows, call);
  assertSelection(rows, call.listedIds);
  return rows.accounts.filter(({ job }) => job === null);
}

/** What keeps these accounts from a job each. Null when tokens and storage suffice for all of them. */
export function stopOf(
  rows: PlannedCallRows,
  call: CallFacts,
  fresh: readonly LineAccount[],
): Stop | null {
  const [first] = fresh;
  if (first === undefined) return null;
  const short = shortageOf(rows.usages, fresh.length * call.usageTokens);
  if (short) return { code: 'POLICY_QUOTA_EXCEEDED', at: first.id, short, now: rows.now };
  const room = jobsThatFit(rows.storedBytes, call.storageLimitBytes, call.jobBytes);
  if (fresh.length <= room) return null;
  return { code: 'POLICY_STORAGE_EXCEEDED', at: first.id };
}

/** @throws ServiceError IDEMPOTENCY_KEY_CONFLICT when another request has used the key (D30) */
export function assertOwnKey(
  { requestHash }: Pick<PlannedCallRows, 'requestHash'>,
  call: Pick<CallFacts, 'requestHash'>,
): void {
  if (requestHash !== null && requestHash !== call.requestHash) {
    throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT');
  }
}

/** One account that is not the caller's refuses the whole call (R82, R83). */
function assertSelection(
  { linkFound, unusedPurpose, accounts }: PlannedCallRows,
  listedIds: ReadonlySet<string> | null,
): void {
  if (unusedPurpose !== null) {
    const message = wrongPurpose(unusedPurpose);
    throw new ServiceError('BANK_ACCOUNT_PARENT_NOT_FOUND', { message });
  }
  if (!linkFound) throw new ServiceError('BANK_ACCOUNT_PARENT_NOT_FOUND');
  const missing = listedIds !== null && accounts.length < listedIds.size;
  if (missing || accounts.length === 0) throw new ServiceError('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
}
