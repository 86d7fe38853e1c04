import { DELIVERY_KINDS } from '@changgu/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideDelivery,
  decideEndpoint,
  MAX_FAILING_MS,
  RETRY_DELAYS_MS,
  RETRY_JITTER,
} from './delivery-schedule.ts';

const random = () => fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const FAILED = { status: 500, error: 'STATUS' } as const;

/** The delays of a delivery that fails for ever. */
function delaysOf(fraction: number): number[] {
  const delays: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const verdict = decideDelivery({ kind: 'event', attempts }, FAILED, fraction);
    if (verdict.status !== 'PENDING') return delays;
    delays.push(verdict.delayMs);
  }
}

describe('a delivery', () => {
  it('that fails is tried again after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h and 10 h, then no more', () => {
    expect(delaysOf(0).map((ms) => ms / 1_000)).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 36_000,
    ]);
  });

  it('is never tried early, and at most a fifth late', () => {
    fc.assert(
      fc.property(random(), (fraction) => {
        for (const [n, ms] of delaysOf(fraction).entries()) {
          const base = RETRY_DELAYS_MS[n] ?? 0;
          expect(ms).toBeGreaterThanOrEqual(base);
          expect(ms).toBeLessThanOrEqual(base * (1 + RETRY_JITTER));
        }
      }),
    );
  });

  it('ends at once when it was taken, and a test or replay with its only attempt', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DELIVERY_KINDS), fc.nat(20), random(), (kind, n, fraction) => {
        const delivery = { kind, attempts: n + 1 };
        expect(decideDelivery(delivery, { error: null }, fraction).status).toBe('SUCCEEDED');
        const { status } = decideDelivery(delivery, FAILED, fraction);
        expect(status).toBe(kind === 'event' && n < RETRY_DELAYS_MS.length ? 'PENDING' : 'FAILED');
      }),
    );
  });
});

describe('an endpoint', () => {
  const now = 1_000 * MAX_FAILING_MS;
  const well = { failingSince: null, now };

  it('fails from the first failure to the next success', () => {
    expect(decideEndpoint('event', FAILED, well)).toBe('failing');
    const failing = { failingSince: now - 1, now };
    expect(decideEndpoint('event', FAILED, failing)).toBe('unchanged');
    expect(decideEndpoint('event', { status: 200, error: null }, failing)).toBe('healthy');
  });

  it('is switched off at once by 410, and by five days of failures', () => {
    const gone = { status: 410, error: 'STATUS' } as const;
    expect(decideEndpoint('event', gone, well)).toEqual({ disable: 'gone' });
    const forDays = (ms: number) => ({ failingSince: now - ms, now });
    expect(decideEndpoint('event', FAILED, forDays(MAX_FAILING_MS - 1))).toBe('unchanged');
    expect(decideEndpoint('event', FAILED, forDays(MAX_FAILING_MS))).toEqual({
      disable: 'failing',
    });
  });

  it('is not judged by tests, replays, and events that are kept no more', () => {
    const long = { failingSince: 0, now };
    expect(decideEndpoint('test', FAILED, long)).toBe('unchanged');
    expect(decideEndpoint('replay', { status: 410, error: 'STATUS' }, long)).toBe('unchanged');
    expect(decideEndpoint('event', { status: null, error: 'EVENT_PURGED' }, long)).toBe(
      'unchanged',
    );
  });
});
