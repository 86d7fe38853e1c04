import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PLANS } from './plans.ts';
import { quotaExceeded, remainingTokens, shortPeriod } from './quota.ts';
import { quotaPeriods } from './quota-periods.ts';

const NOW = Date.parse('2026-11-21T14:59:59Z');
const plan = DEFAULT_PLANS.STANDARD;

describe('quota periods', () => {
  it('counts nothing in sandbox (D40)', () => {
    expect(quotaPeriods('sandbox', plan, null, NOW)).toEqual([]);
  });

  it('counts real_test by Korean day (R20)', () => {
    const [today] = quotaPeriods('real_test', plan, null, NOW);
    expect(today).toMatchObject({
      key: 'day:2026-11-21',
      limit: 100,
      resetAt: Date.parse('2026-11-21T15:00:00Z'),
    });
    const [tomorrow] = quotaPeriods('real_test', plan, null, NOW + 1000);
    expect(tomorrow?.key).toBe('day:2026-11-22');
  });

  it('counts production by billing period, and by month outside of one (D39)', () => {
    const billing = { startedAt: NOW - 1000, endsAt: NOW + 1000 };
    expect(quotaPeriods('production', plan, billing, NOW)[1]).toMatchObject({
      key: 'billing:2026-11-21',
      limit: 10_000,
      resetAt: billing.endsAt,
    });
    expect(quotaPeriods('production', plan, billing, NOW + 1000)[1]?.key).toBe('month:2026-11');
  });

  it('gives no tokens for a plan that no longer exists (D40)', () => {
    const usages = quotaPeriods('production', undefined, null, NOW).map((p) => ({ ...p, used: 0 }));
    expect(remainingTokens(usages)).toBe(0);
  });
});

describe('quota', () => {
  const usage = fc.record({
    kind: fc.constantFrom('day' as const, 'month' as const),
    key: fc.string(),
    limit: fc.option(fc.nat(200)),
    used: fc.nat(250),
    resetAt: fc.integer({ min: NOW + 1, max: NOW + 1e9 }),
  });

  it('refuses exactly what does not fit into every period (R19)', () => {
    fc.assert(
      fc.property(
        fc.array(usage, { maxLength: 3 }),
        fc.integer({ min: 1, max: 50 }),
        (all, needed) => {
          const remaining = remainingTokens(all);
          expect(shortPeriod(all, needed) !== undefined).toBe(
            remaining !== null && remaining < needed,
          );
        },
      ),
    );
  });

  it('says what is needed, what remains, when it resets and when to retry (D41)', () => {
    const full = {
      kind: 'day' as const,
      key: 'day:2026-11-21',
      limit: 100,
      used: 99,
      resetAt: NOW + 1000,
    };
    const error = quotaExceeded(full, 3, NOW);
    expect(error.text('ko')).toContain('필요한 토큰은 3개, 남은 토큰은 1개');
    expect(error.text('ko')).toContain('2026-11-22T00:00:00.000+09:00');
    expect(error.text('en')).toContain('3 needed, 1 remaining');
    expect(error).toMatchObject({
      status: 429,
      retryable: true,
      details: { retryAfterSeconds: 1 },
    });
    expect(quotaExceeded(full, 3, NOW, 3).text('ko')).toContain('계좌 3개');
  });

  it('is not retryable when the call can never fit (D41)', () => {
    const small = { kind: 'day' as const, key: 'd', limit: 2, used: 0, resetAt: NOW + 1000 };
    const error = quotaExceeded(small, 3, NOW);
    expect(error.retryable).toBe(false);
    expect(error.details.retryAfterSeconds).toBeUndefined();
  });
});
