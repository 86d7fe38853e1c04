import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PLANS } from './plans.ts';
import { type PeriodUsage, quotaExceeded, remainingTokens, shortageOf } from './quota.ts';
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
    // Until the period is ended, or there would be a second quota between it and the next.
    expect(quotaPeriods('production', plan, billing, NOW + 1000)[1]).toMatchObject({
      key: 'billing:2026-11-21',
      resetAt: billing.endsAt,
    });
    expect(quotaPeriods('production', plan, billing, NOW - 1001)[1]?.key).toBe('month:2026-11');
    expect(quotaPeriods('production', plan, null, NOW)[1]?.key).toBe('month:2026-11');
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
          expect(shortageOf(all, needed) !== undefined).toBe(
            remaining !== null && remaining < needed,
          );
        },
      ),
    );
  });

  /** The refusal of a call for `needed` tokens. */
  function refusal(usages: readonly PeriodUsage[], needed: number, accounts?: number) {
    const short = shortageOf(usages, needed);
    return short && quotaExceeded(short, needed, NOW, accounts);
  }

  const day = (limit: number, used: number) =>
    ({ kind: 'day', key: 'day:2026-11-21', limit, used, resetAt: NOW + 1000 }) as const;
  const month = (limit: number, used: number) =>
    ({ kind: 'month', key: 'month:2026-11', limit, used, resetAt: NOW + 1e9 }) as const;

  it('says what is needed, what remains, when it resets and when to retry (D41)', () => {
    const error = refusal([day(100, 99)], 3);
    expect(error?.text('ko')).toContain('필요한 토큰은 3개, 남은 토큰은 1개');
    expect(error?.text('ko')).toContain('2026-11-22T00:00:00.000+09:00');
    expect(error?.text('en')).toContain('3 needed, 1 remaining');
    expect(error).toMatchObject({
      status: 429,
      retryable: true,
      details: { retryAfterSeconds: 1 },
    });
    expect(refusal([day(100, 99)], 3, 3)?.text('ko')).toContain('계좌 3개');
  });

  it('is not retryable when the call can never fit (D41)', () => {
    const error = refusal([day(2, 0)], 3);
    expect(error?.retryable).toBe(false);
    expect(error?.details.retryAfterSeconds).toBeUndefined();
  });

  it('looks at all periods where several lack tokens (D41)', () => {
    const never = refusal([day(100, 0), month(10_000, 9_950)], 150);
    expect([never?.retryable, never?.details.retryAfterSeconds]).toEqual([false, undefined]);
    const later = refusal([day(100, 100), month(10_000, 9_960)], 41);
    expect(later?.text('en')).toContain('41 needed, 0 remaining');
    expect(later?.details.retryAfterSeconds).toBe(1e6);
  });
});
