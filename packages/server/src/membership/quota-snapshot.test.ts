import { describe, expect, it } from 'vitest';
import { quotaPeriods } from '../rules/quota/quota-periods.ts';
import { quotaSnapshot } from './quota-snapshot.ts';

const NOON = Date.parse('2026-11-21T12:00:00+09:00');
const NONE = { daily: null, monthly: null };

function snapshot(env: 'real_test' | 'production', daily: number | null) {
  const plan = { real_test: NONE, production: NONE, [env]: { daily, monthly: 10_000 } };
  const periods = quotaPeriods(env, plan, null, NOON);
  return quotaSnapshot(
    env,
    periods.map((period) => ({ ...period, used: 3 })),
  );
}

describe('the quota that a membership shows', () => {
  it('has the day in production where the plan limits it (R100)', () => {
    expect(snapshot('production', 500)).toMatchObject({
      quota_after: { limit: 500, used: 3, remaining: 497, period: 'day' },
      quota_month_after: { limit: 10_000, remaining: 9_997 },
    });
  });

  it.each([null, 0])('has no day in production where the limit is %s (R100)', (daily) => {
    expect(snapshot('production', daily)).not.toHaveProperty('quota_after');
  });

  it('has the day in real_test, also where nothing is left of it (R100)', () => {
    expect(snapshot('real_test', 0)).toMatchObject({ quota_after: { limit: 0, remaining: 0 } });
    expect(snapshot('real_test', null)).not.toHaveProperty('quota_after');
  });
});
