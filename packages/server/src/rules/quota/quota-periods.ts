import type { EnvScope } from '@changgu/contract';
import { kstDay, kstMonth, nextKstDay, nextKstMonth } from '../kst.ts';
import type { PlanLimits, TokenLimits } from './plans.ts';

/** A period of time in which tokens are counted. */
export interface QuotaPeriod {
  readonly kind: 'day' | 'month';
  /** Key of the usage row: `day:2026-11-21`, `month:2026-11`, or `billing:` and the day the billing period began. */
  readonly key: string;
  readonly limit: number | null;
  readonly resetAt: number;
}

export interface BillingPeriod {
  readonly startedAt: number;
  readonly endsAt: number;
}

const UNKNOWN_PLAN: TokenLimits = { daily: 0, monthly: 0 };

/**
 * The periods in which a job accepted at `now` counts: Korean day and month, in production
 * the billing period instead of the month. None in sandbox. Unlimited ones are counted too, so that a
 * changed plan finds them.
 */
export function quotaPeriods(
  envScope: EnvScope,
  plan: PlanLimits | undefined,
  billing: BillingPeriod | null,
  now: number,
): readonly QuotaPeriod[] {
  if (envScope === 'sandbox') return [];
  const limits = plan?.[envScope] ?? UNKNOWN_PLAN;
  return [
    { kind: 'day', key: `day:${kstDay(now)}`, limit: limits.daily, resetAt: nextKstDay(now) },
    { kind: 'month', ...monthOf(envScope, billing, now), limit: limits.monthly },
  ];
}

function monthOf(
  envScope: EnvScope,
  billing: BillingPeriod | null,
  now: number,
): { key: string; resetAt: number } {
  // A period that is over counts on until it is ended: the month would be a second quota until then.
  const billed = envScope === 'production' && billing && billing.startedAt <= now;
  if (billed) return { key: `billing:${kstDay(billing.startedAt)}`, resetAt: billing.endsAt };
  return { key: `month:${kstMonth(now)}`, resetAt: nextKstMonth(now) };
}
