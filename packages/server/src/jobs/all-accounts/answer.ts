import type { EnvScope } from '@changgu/contract';
import type { Language } from '@changgu/contract/language';
import type { AllAccountsLine, AllAccountsResponse } from '@changgu/contract/schemas';
import type { Stop } from '../../rules/all-accounts/decide-lines.ts';
import type { LineAccount } from '../../rules/all-accounts/plan-call.ts';
import { kstTime } from '../../rules/kst.ts';
import { quotaExceeded } from '../../rules/quota/quota.ts';
import { ServiceError } from '../../rules/service-error.ts';

/** The outcome of a call. */
export interface CallOutcome {
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly action: string;
  readonly usageTokens: number;
  /** When it was received. */
  readonly now: number;
  /** Every account of the call with its job's current state, in the order of the answer. */
  readonly accounts: readonly LineAccount[];
  /** Null when the call was completed. */
  readonly stop: Stop | null;
  readonly language: Language;
}

/** Seconds until a job of the product has probably ended (D45). */
export const RETRY_SECONDS = 10;
/** No caller is told to wait longer. */
export const MAX_RETRY_SECONDS = 3_600;

/** The all-accounts response. `interruption` is absent unless the call stopped midway. */
export function allAccountsResponse(outcome: CallOutcome): AllAccountsResponse {
  const { accounts, language } = outcome;
  // Lines that another call with the same key has finished in the meantime are not open.
  const stop = accounts.every(({ job }) => job !== null) ? null : outcome.stop;
  const stoppedAt = accounts.findIndex(({ id }) => id === stop?.at);
  const lines = accounts.map((account, index) =>
    lineOf(account, stop !== null && index >= stoppedAt ? 'interrupted' : 'over_concurrency_limit'),
  );
  const open = lines.filter(({ job_id: jobId }) => jobId === null);
  return {
    env_scope: outcome.envScope,
    provider: outcome.provider,
    action: outcome.action,
    submitted_at: kstTime(outcome.now),
    account_count: lines.length,
    submitted_count: lines.length - open.length,
    accounts: lines,
    next: nextOf(open, stop, language),
    ...(stop === null ? {} : { interruption: interruptionOf(stop, open.length, outcome) }),
  };
}

/** The error of a call that was stopped before its first new line. */
export function stopError(stop: Stop, usageTokens: number, accountCount: number): ServiceError {
  if (stop.code !== 'POLICY_QUOTA_EXCEEDED') return new ServiceError(stop.code);
  return quotaExceeded(stop.short, accountCount * usageTokens, stop.now, accountCount);
}

function lineOf(
  { accountLinkId, id, maskedAccountNo, job }: LineAccount,
  reason: NonNullable<AllAccountsLine['reason']>,
): AllAccountsLine {
  return {
    account_link_id: accountLinkId,
    bank_account_credential_id: id,
    masked_account_no: maskedAccountNo,
    job_id: job?.id ?? null,
    status: job?.status ?? 'NOT_SUBMITTED',
    reason: job === null ? reason : null,
  };
}

function nextOf(
  open: readonly AllAccountsLine[],
  stop: Stop | null,
  language: Language,
): AllAccountsResponse['next'] {
  if (open.length === 0) return null;
  const seconds = retryAfterSeconds(stop);
  return {
    retry_after_seconds: seconds,
    bank_account_credential_ids: open.map((line) => line.bank_account_credential_id),
    message: nextMessage(open.length, seconds, stop !== null)[language],
  };
}

/** Tokens return only at the end of their period; a slot of the product becomes free much sooner. */
function retryAfterSeconds(stop: Stop | null): number {
  if (stop?.code !== 'POLICY_QUOTA_EXCEEDED') return RETRY_SECONDS;
  const untilReset = Math.ceil((stop.short.resetAt - stop.now) / 1_000);
  return Math.min(Math.max(1, untilReset), MAX_RETRY_SECONDS);
}

function nextMessage(count: number, seconds: number, stopped: boolean): Record<Language, string> {
  return {
    ko: `${stopped ? '먼저 중단된 원인을 해결하십시오. ' : ''}제출되지 않은 계좌가 ${count}개 있습니다. ${seconds}초 뒤에 bank_account_credential_ids에 이 계좌들을 넣고 새 Idempotency-Key로 같은 요청을 보내십시오.`,
    en: `${stopped ? 'Fix the cause of the interruption first. ' : ''}${count} accounts were not submitted. After ${seconds} seconds repeat the request with these bank_account_credential_ids and a new Idempotency-Key.`,
  };
}

function interruptionOf(
  stop: Stop,
  openCount: number,
  { usageTokens, language }: CallOutcome,
): NonNullable<AllAccountsResponse['interruption']> {
  return {
    code: stop.code,
    message: stopError(stop, usageTokens, openCount).text(language),
    reason: interruptionReason(stop.code),
  };
}

/** The detail code of an interruption. */
export function interruptionReason(code: string): string | null {
  return REASONS.get(code) ?? null;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['POLICY_QUOTA_EXCEEDED', 'quota_race'],
  ['SERVICE_UNAVAILABLE', 'store_error'],
]);
