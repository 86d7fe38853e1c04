import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayOf, formatDay, formatMoment, formatMonth, parseDay, parseMonth } from './kst.ts';

it('a day in Korea begins at 15:00 UTC', () => {
  expect(formatDay(dayOf(Date.parse('2026-11-20T14:59:59Z')))).toBe('20261120');
  expect(formatDay(dayOf(Date.parse('2026-11-20T15:00:00Z')))).toBe('20261121');
  expect(formatMoment(Date.parse('2026-11-20T15:00:00Z'))).toBe('2026-11-21 00:00:00');
});

it('reads back the days and months it prints', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), (day) => {
      expect(parseDay(formatDay(day))).toBe(day);
      expect(parseDay(formatDay(day, '-'), '-')).toBe(day);
    }),
  );
  expect(formatMonth(parseMonth('202601') ?? 0)).toBe('202601');
});

it('refuses days and months that do not exist', () => {
  expect(parseDay('20260230')).toBeNull();
  expect(parseDay('2026-11-20')).toBeNull();
  expect(parseMonth('202413')).toBeNull();
  expect(parseMonth('202400')).toBeNull();
});
