import { kstTime } from '../kst.ts';
import { ServiceError } from '../service-error.ts';
import type { QuotaPeriod } from './quota-periods.ts';

/** A period and its usage. */
export interface PeriodUsage extends QuotaPeriod {
  readonly used: number;
}

/** Tokens left in one period; null = no limit. Never negative, even after the plan's limit was lowered. */
function remainingIn(usage: PeriodUsage): number | null {
  return usage.limit === null ? null : Math.max(0, usage.limit - usage.used);
}

/** Tokens left over all periods; null = no limit. */
export function remainingTokens(usages: readonly PeriodUsage[]): number | null {
  const left = usages.map(remainingIn).filter((tokens) => tokens !== null);
  return left.length === 0 ? null : Math.min(...left);
}

/** The period that lacks tokens for `needed`; of several, the one that resets last. */
export function shortPeriod(
  usages: readonly PeriodUsage[],
  needed: number,
): PeriodUsage | undefined {
  return usages
    .filter((usage) => usage.limit !== null && usage.used + needed > usage.limit)
    .toSorted((a, b) => b.resetAt - a.resetAt)[0];
}

/**
 * 429 with needed and remaining tokens and the reset time in both languages. Not retryable when the
 * call alone needs more than the whole limit.
 * @param accountCount how many accounts an all-accounts call is for
 */
export function quotaExceeded(
  usage: PeriodUsage,
  needed: number,
  now: number,
  accountCount?: number,
): ServiceError {
  const remaining = remainingIn(usage) ?? 0;
  const reset = kstTime(usage.resetAt);
  const possible = needed <= (usage.limit ?? needed);
  const ko = accountCount === undefined ? '' : `계좌 ${accountCount}개에 `;
  const en = accountCount === undefined ? '' : ` for ${accountCount} accounts`;
  return new ServiceError('POLICY_QUOTA_EXCEEDED', {
    message: {
      ko: `사용 토큰이 부족합니다. ${ko}필요한 토큰은 ${needed}개, 남은 토큰은 ${remaining}개이며 ${reset}에 다시 채워집니다.`,
      en: `Not enough usage tokens: ${needed} needed${en}, ${remaining} remaining, reset at ${reset}.`,
    },
    retryable: possible,
    ...(possible
      ? { retryAfterSeconds: Math.max(1, Math.ceil((usage.resetAt - now) / 1000)) }
      : {}),
  });
}
