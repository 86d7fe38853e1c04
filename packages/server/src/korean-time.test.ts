import { describe, expect, it } from 'vitest';
import { koreanDay, koreanTime } from './korean-time.ts';

describe('Korean time', () => {
  it('R33 D143 ends with +09:00 and has milliseconds', () => {
    expect(koreanTime(Date.UTC(2026, 10, 21))).toBe('2026-11-21T09:00:00.000+09:00');
  });

  it('R20 begins its day at 15:00Z', () => {
    expect(koreanDay(Date.UTC(2026, 10, 20, 14, 59, 59, 999))).toBe('2026-11-20');
    expect(koreanDay(Date.UTC(2026, 10, 20, 15))).toBe('2026-11-21');
  });
});
