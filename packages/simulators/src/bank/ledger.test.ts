import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayFrom, dayOf, startOfDay } from '../seed/kst.ts';
import { Ledger } from './ledger.ts';

const NOW = Date.parse('2026-11-20T14:00:00+09:00');
const OPENED = dayFrom(2024, 3, 4);
const seeds = fc.string({ minLength: 1, maxLength: 20 });
const days = fc.integer({ min: OPENED - 30, max: dayOf(NOW) });
const ranges = fc.tuple(days, days).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

describe('a bank ledger', () => {
  it('every row satisfies balance = previous + in − out, and never goes below zero', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        let balance = 0;
        for (const row of new Ledger(seed, OPENED, false).rowsUntil(NOW)) {
          balance += row.deposit - row.withdrawal;
          expect(row.balanceAfter).toBe(balance);
          expect(balance).toBeGreaterThanOrEqual(0);
          expect(Math.min(row.deposit, row.withdrawal)).toBe(0);
          expect(Number.isInteger(row.balanceAfter)).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('rows of a day are the same whatever range is asked, and totals add up', () => {
    const ledger = new Ledger('100123450011', OPENED, false);
    const all = ledger.rowsUntil(NOW);
    fc.assert(
      fc.property(ranges, ({ from, to }) => {
        const fresh = new Ledger('100123450011', OPENED, false);
        const statement = fresh.statement(from, to, 'all', NOW);
        const end = startOfDay(to + 1);
        expect(statement.rows).toEqual(all.filter(({ at }) => at >= startOfDay(from) && at < end));
        expect(statement.closingBalance).toBe(
          statement.openingBalance + statement.depositTotal - statement.withdrawalTotal,
        );
      }),
      { numRuns: 30 },
    );
  });

  it('a direction hides rows but keeps the totals of the whole period', () => {
    const ledger = new Ledger('100123450011', OPENED, false);
    const [from, to] = [dayOf(NOW) - 90, dayOf(NOW)];
    const all = ledger.statement(from, to, 'all', NOW);
    const deposits = ledger.statement(from, to, 'in', NOW);
    const withdrawals = ledger.statement(from, to, 'out', NOW);
    expect(deposits.rows.length + withdrawals.rows.length).toBe(all.rows.length);
    expect({ ...deposits, rows: [] }).toEqual({ ...all, rows: [] });
    expect(deposits.rows.reduce((sum, row) => sum + row.deposit, 0)).toBe(all.depositTotal);
  });

  it('rows appear with time and stay as they were', () => {
    const ledger = new Ledger('100123450011', OPENED, false);
    const before = ledger.rowsUntil(NOW);
    const after = ledger.rowsUntil(NOW + 30 * 86_400_000);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThan(before.length);
  });

  it('an added row shifts later balances and nothing else', () => {
    const ledger = new Ledger('100123450011', OPENED, false);
    const at = NOW - 10 * 86_400_000;
    const before = ledger.rowsUntil(NOW);
    ledger.add({
      at,
      deposit: 5000,
      withdrawal: 0,
      description: '시험',
      counterparty: '',
      branch: '',
      memo: '',
    });
    const after = ledger.rowsUntil(NOW);
    expect(after.filter((row) => row.description !== '시험')).toEqual(
      before.map((row) => (row.at > at ? { ...row, balanceAfter: row.balanceAfter + 5000 } : row)),
    );
  });

  it('0200 has no row and no money', () => {
    expect(new Ledger('x', OPENED, true).rowsUntil(NOW)).toEqual([]);
    expect(new Ledger('x', OPENED, true).balanceAt(NOW)).toBe(0);
  });
});
