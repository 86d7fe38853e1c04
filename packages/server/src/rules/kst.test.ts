import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kstDay, kstMonth, kstTime, nextKstDay, nextKstMonth } from './kst.ts';

const times = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });
const NINE_HOURS = 9 * 3_600_000;

describe('Korean time', () => {
  it('ends with +09:00 and denotes the same instant (R33, D143)', () => {
    fc.assert(
      fc.property(times, (ms) => {
        expect(kstTime(ms)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/);
        expect(Date.parse(kstTime(ms))).toBe(ms);
      }),
    );
  });

  it('is what Date writes for a clock that is nine hours ahead, before 1970 and in fractions, too', () => {
    const anyTime = fc.double({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0), noNaN: true });
    fc.assert(
      fc.property(fc.oneof(times, anyTime), (ms) => {
        const ahead = new Date(ms + NINE_HOURS).toISOString();
        expect(kstTime(ms)).toBe(ahead.replace('Z', '+09:00'));
      }),
    );
  });

  it('begins a day at 15:00Z (R20)', () => {
    expect(kstDay(Date.parse('2026-11-21T14:59:59.999Z'))).toBe('2026-11-21');
    expect(kstDay(Date.parse('2026-11-21T15:00:00.000Z'))).toBe('2026-11-22');
    expect(nextKstDay(Date.parse('2026-11-21T14:59:59.999Z'))).toBe(
      Date.parse('2026-11-21T15:00:00Z'),
    );
  });

  it('the next day and month begin one day and month later, and not before (D39)', () => {
    fc.assert(
      fc.property(times, (ms) => {
        expect(kstDay(nextKstDay(ms) - 1)).toBe(kstDay(ms));
        expect(kstDay(nextKstDay(ms))).not.toBe(kstDay(ms));
        expect(kstMonth(nextKstMonth(ms) - 1)).toBe(kstMonth(ms));
        expect(kstMonth(nextKstMonth(ms))).not.toBe(kstMonth(ms));
      }),
    );
  });
});
