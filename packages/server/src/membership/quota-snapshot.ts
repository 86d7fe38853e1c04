import type { EnvScope } from '@changgu/contract';
import type { Quota } from '@changgu/contract/schemas';
import { kstTime } from '../rules/kst.ts';
import type { PeriodUsage } from '../rules/quota/quota.ts';

/** Without a limit, the keys are absent, not null. */
export interface QuotaSnapshot {
  readonly quota_after?: Quota;
  readonly quota_month_after?: Quota;
}

/** What is left of the day and the month. A day of 0 tokens in production is that of a plan without production. */
export function quotaSnapshot(envScope: EnvScope, usages: readonly PeriodUsage[]): QuotaSnapshot {
  const today = limited(usages, 'day');
  const day = envScope === 'production' && today?.limit === 0 ? null : today;
  const month = limited(usages, 'month');
  return {
    ...(day === null ? {} : { quota_after: day }),
    ...(month === null ? {} : { quota_month_after: month }),
  };
}

function limited(usages: readonly PeriodUsage[], kind: 'day' | 'month'): Quota | null {
  const usage = usages.find((each) => each.kind === kind);
  if (usage === undefined || usage.limit === null) return null;
  return {
    limit: usage.limit,
    used: usage.used,
    // A plan's limit may have become lower than what was already used.
    remaining: Math.max(0, usage.limit - usage.used),
    reset_at: kstTime(usage.resetAt),
    period: kind,
  };
}
