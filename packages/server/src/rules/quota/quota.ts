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

/** What a call that is refused for want of tokens needs to know. */
export interface Shortage {
  /** Over all periods. */
  readonly remaining: number;
  /** The smallest limit: a call that alone needs more can never be paid for. */
  readonly limit: number;
  /** When the last of the periods that lack tokens begins anew. */
  readonly resetAt: number;
}

/** Undefined when every period has tokens for `needed`. */
export function shortageOf(usages: readonly PeriodUsage[], needed: number): Shortage | undefined {
  const limited = usages.flatMap(({ limit, used, resetAt }) =>
    limit === null ? [] : [{ limit, resetAt, isShort: used + needed > limit }],
  );
  const short = limited.filter(({ isShort }) => isShort);
  if (short.length === 0) return undefined;
  return {
    remaining: remainingTokens(usages) ?? 0,
    limit: Math.min(...limited.map(({ limit }) => limit)),
    resetAt: Math.max(...short.map(({ resetAt }) => resetAt)),
  };
}

/**
 * 429 with needed and remaining tokens and the reset time in both languages. Not retryable when the
 * call alone needs more than the whole limit.
 * @param accountCount how many accounts an all-accounts call is for
 */
export function quotaExceeded(
  { remaining, limit, resetAt }: Shortage,
  needed: number,
  now: number,
  accountCount?: number,
): ServiceError {
  const reset = kstTime(resetAt);
  const possible = needed <= limit;
  const ko = accountCount === undefined ? '' : `계좌 ${accountCount}개에 `;
  const en = accountCount === undefined ? '' : ` for ${accountCount} accounts`;
  return new ServiceError('POLICY_QUOTA_EXCEEDED', {
    message: {
      ko: `사용 토큰이 부족합니다. ${ko}필요한 토큰은 ${needed}개, 남은 토큰은 ${remaining}개이며 ${reset}에 다시 채워집니다.`,
      en: `Not enough usage tokens: ${needed} needed${en}, ${remaining} remaining, reset at ${reset}.`,
    },
    retryable: possible,
    ...(possible ? { retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now) / 1000)) } : {}),
  });
}
