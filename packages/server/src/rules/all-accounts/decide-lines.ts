import type { EnvScope, ErrorCode } from '@changgu/contract';
import { environmentRefusal, type OrganizationPolicy } from '../organizations/policy.ts';
import { type PeriodUsage, remainingTokens, type Shortage, shortageOf } from '../quota/quota.ts';
import { jobsThatFit } from '../quota/storage.ts';

/** Why a call stops. */
export interface Stop {
  readonly code: ErrorCode;
  /** The first account that it did not submit. */
  readonly at: string;
  /** With POLICY_QUOTA_EXCEEDED: what is lacking, including what earlier lines used. */
  readonly short: Shortage | null;
  readonly now: number;
}

/** What the transaction of one link reads under its locks. */
export interface LineRows {
  readonly now: number;
  readonly organization: OrganizationPolicy;
  readonly usages: readonly PeriodUsage[];
  /** What the organization already stores. */
  readonly storedBytes: number;
  /** Unfinished jobs of the product that count toward its cap. */
  readonly unfinished: number;
  /** Accounts that are still active, and whether they have a job of this key. */
  readonly hasJob: ReadonlyMap<string, boolean>;
}

export interface LineRules {
  readonly envScope: EnvScope;
  readonly usageTokens: number;
  /** Maximum number of unfinished jobs of one bank product. */
  readonly cap: number;
  readonly storageLimitBytes: number;
  /** What one job of the call stores. */
  readonly jobBytes: number;
}

export interface LineDecision<Line> {
  readonly accept: readonly Line[];
  /** Unlinked since the call was planned. */
  readonly gone: readonly string[];
  readonly stop: Stop | null;
}

/**
 * Which lines of one link become jobs: in order, those that the cap has room for, and of those as many as tokens and
 * storage allow. A line blocked by the cap costs nothing and does not stop later lines.
 */
export function decideLines<Line extends { readonly accountId: string }>(
  rows: LineRows,
  lines: readonly Line[],
  rules: LineRules,
): LineDecision<Line> {
  const gone = lines.flatMap(({ accountId }) => (rows.hasJob.has(accountId) ? [] : [accountId]));
  const fresh = lines.filter(({ accountId }) => rows.hasJob.get(accountId) === false);
  const wanted = fresh.slice(0, Math.max(0, rules.cap - rows.unfinished));
  const policy = environmentRefusal(rows.organization, rules.envScope, rows.now);
  const room = jobsThatFit(rows.storedBytes, rules.storageLimitBytes, rules.jobBytes);
  const most = Math.min(affordable(rows, rules.usageTokens), room);
  const accept = policy === null ? wanted.slice(0, most) : [];
  const stopped = wanted[accept.length];
  if (stopped === undefined) return { accept, gone, stop: null };
  const place = { at: stopped.accountId, now: rows.now };
  if (policy !== null) return { accept, gone, stop: { ...place, code: policy, short: null } };
  if (accept.length === room) {
    return { accept, gone, stop: { ...place, code: 'POLICY_STORAGE_EXCEEDED', short: null } };
  }
  const charged = accept.length * rules.usageTokens;
  const left = rows.usages.map((usage) => ({ ...usage, used: usage.used + charged }));
  const short = shortageOf(left, rules.usageTokens) ?? null;
  return { accept, gone, stop: { ...place, code: 'POLICY_QUOTA_EXCEEDED', short } };
}

/** Lines that the remaining tokens pay for. */
function affordable({ usages }: LineRows, usageTokens: number): number {
  const remaining = remainingTokens(usages);
  if (remaining === null || usageTokens === 0) return Number.POSITIVE_INFINITY;
  return Math.floor(remaining / usageTokens);
}
