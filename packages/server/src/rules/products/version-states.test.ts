import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertVersionMayMove, mayMove, sunsetOf } from './version-states.ts';

const STATES = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'RETIRED'] as const;
const ORDER = new Map(STATES.map((state, index) => [state, index]));

describe('states of a product version', () => {
  it('allows exactly these moves (D119)', () => {
    const moves = STATES.flatMap((from) =>
      STATES.filter((to) => mayMove(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(moves).toEqual([
      'DRAFT → PUBLISHED',
      'DRAFT → RETIRED',
      'PUBLISHED → DEPRECATED',
      'DEPRECATED → RETIRED',
    ]);
  });

  it('never goes back, whatever is tried', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATES)), (tries) => {
        let state: (typeof STATES)[number] = 'DRAFT';
        for (const to of tries) {
          if (!mayMove(state, to)) continue;
          expect(ORDER.get(to)).toBeGreaterThan(ORDER.get(state) ?? 0);
          state = to;
        }
      }),
    );
  });

  it('keeps the current version until its sunset (D119)', () => {
    const current = { status: 'DEPRECATED', isCurrent: true, deprecatedAt: 1_000 } as const;
    expect(() => assertVersionMayMove(current, 'RETIRED', sunsetOf(1_000) - 1)).toThrow();
    assertVersionMayMove(current, 'RETIRED', sunsetOf(1_000));
    assertVersionMayMove({ ...current, isCurrent: false }, 'RETIRED', 1_000);
  });
});
