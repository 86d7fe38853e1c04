import type { EnvScope, ErrorCode } from '@changgu/contract';
import { environmentRefusal, type OrganizationPolicy } from '../organizations/policy.ts';
import { type PeriodUsage, remainingTokens, type Shortage, shortageOf } from '../quota/quota.ts';
import { jobsThatFit } from '../quota/storage.ts';

/** Why a call stops. */
export type Stop = Lack | { readonly code: Exclude<ErrorCode, Lack['code']>; readonly at: string };

interface Lack {
  readonly code: 'POLICY_QUOTA_EXCEEDED';
  /** The first account that was not submitted. */
  readonly at: string;
  /** What is lacking, including what earlier lines used. */
  readonly short: Shortage;
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
  const at = stopped.accountId;
  if (policy !== null) return { accept, gone, stop: { code: policy, at } };
  const charged = accept.length * rules.usageTokens;
  const left = rows.usages.map((usage) => ({ ...usage, used: usage.used + charged }));
  const short = accept.length === room ? undefined : shortageOf(left, rules.usageTokens);
  const stop: Stop = short
    ? { code: 'POLICY_QUOTA_EXCEEDED', at, short, now: rows.now }
    : { code: 'POLICY_STORAGE_EXCEEDED', at };
  return { accept, gone, stop };
}

/** Lines that the remaining tokens pay for. */
function affordable({ usages }: LineRows, usageTokens: number): number {
  const remaining = remainingTokens(usages);
  if (remaining === null || usageTokens === 0) return Number.POSITIVE_INFINITY;
  return Math.floor(remaining / usageTokens);
}
