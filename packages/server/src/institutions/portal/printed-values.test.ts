import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  digitsOrNull,
  printedCount,
  printedDay,
  printedDayOrNull,
  printedMoment,
  printedWon,
} from './printed-values.ts';

describe('values as portals print them', () => {
  it('any amount comes back, with or without sign and unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (won) => {
        expect(printedWon(`${won.toLocaleString('en-US')}원`)).toBe(won);
        expect(printedWon(String(won))).toBe(won);
      }),
    );
    expect(printedWon('+12,000')).toBe(12_000);
  });

  it.each(['', '-', '1,23', '1.5', '12 34', '-￦-5', '천원', '9'.repeat(20), 'NaN'])(
    '%j is not an amount, and never 0',
    (text) => {
      expect(() => printedWon(text)).toThrow('PROVIDER_UPSTREAM_ERROR');
    },
  );

  it.each([
    ['△3,000', -3_000],
    ['▲ 3,000원', -3_000],
    ['−3,000', -3_000],
    ['₩1,200', 1_200],
    // The won sign of EUC-KR.
    ['￦1,234', 1_234],
    ['-￦1,234', -1_234],
    ['￦ -1,234원', -1_234],
  ])('reads %j as accounts are printed in Korea', (text, won) => {
    expect(printedWon(text)).toBe(won);
  });

  it.each(['2026.11.3', '2026. 11. 3.', '2026-11-03', '2026/11/3', '2026년 11월 3일', '20261103'])(
    'reads %j as a day',
    (text) => {
      expect(printedDay(text)).toBe('20261103');
    },
  );

  it.each(['2026.02.30', '20261301', '2026-00-10', '2026113', '26.11.03', '2026.11', '내일'])(
    '%j is not a day',
    (text) => {
      expect(() => printedDay(text)).toThrow('PROVIDER_UPSTREAM_ERROR');
    },
  );

  it.each(['2026.11.3 24:00:00', '2026-11-31 09:00:00', '2026-11-21 09:60:00', '2026-11-21 09:12'])(
    '%j is not a moment',
    (text) => {
      expect(() => printedMoment(text)).toThrow('PROVIDER_UPSTREAM_ERROR');
    },
  );

  it('counts', () => {
    expect(printedCount('1,024건')).toBe(1_024);
    expect(() => printedCount('-1')).toThrow('PROVIDER_UPSTREAM_ERROR');
  });

  it('days and moments', () => {
    expect(['2026-11-21', '2026.11.21', '20261121'].map(printedDay)).toEqual(
      Array(3).fill('20261121'),
    );
    expect(printedDayOrNull('-')).toBeNull();
    expect(printedMoment('2026.11.2109:12:33')).toBe('2026-11-21T09:12:33.000+09:00');
    expect(() => printedMoment('2026.11.21')).toThrow('PROVIDER_UPSTREAM_ERROR');
    expect(digitsOrNull('124-81-00998')).toBe('1248100998');
    expect(digitsOrNull('-')).toBeNull();
  });
});
