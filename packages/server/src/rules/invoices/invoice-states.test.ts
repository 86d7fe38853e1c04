import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayMove, refund } from './invoice-states.ts';

const STATES = [
  'DRAFT',
  'OPEN',
  'PAID',
  'VOID',
  'UNCOLLECTIBLE',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
] as const;

describe('states of an invoice', () => {
  it('allows exactly these moves (D112)', () => {
    const moves = STATES.flatMap((from) =>
      STATES.filter((to) => mayMove(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(moves).toEqual([
      'DRAFT → OPEN',
      'DRAFT → VOID',
      'OPEN → PAID',
      'OPEN → VOID',
      'OPEN → UNCOLLECTIBLE',
      'PAID → REFUNDED',
      'PAID → PARTIALLY_REFUNDED',
      'UNCOLLECTIBLE → PAID',
      'UNCOLLECTIBLE → VOID',
      'PARTIALLY_REFUNDED → REFUNDED',
    ]);
  });

  it('is refunded in at most two parts, and REFUNDED exactly when everything is (D112)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.integer({ min: 1, max: 400 })),
        (total, amounts) => {
          let state: { status: 'PAID' | 'REFUNDED' | 'PARTIALLY_REFUNDED'; refunded: number } = {
            status: 'PAID',
            refunded: 0,
          };
          for (const amount of amounts) {
            const rest = total - state.refunded;
            const isTaken = state.status === 'PAID' ? amount <= rest : amount === rest;
            if (!isTaken) {
              expect(() => refund({ ...state, total }, amount)).toThrow();
              continue;
            }
            state = refund({ ...state, total }, amount);
            expect(state.status === 'REFUNDED').toBe(state.refunded === total);
          }
          expect(state.refunded).toBeLessThanOrEqual(total);
        },
      ),
    );
  });
});
