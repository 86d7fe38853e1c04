import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestedRange } from './byte-range.ts';

describe('byte ranges', () => {
  it.each<[string, ReturnType<typeof requestedRange>]>([
    ['bytes=0-99', { start: 0, end: 100 }],
    ['bytes=900-', { start: 900, end: 1000 }],
    ['bytes=-10', { start: 990, end: 1000 }],
    ['bytes=990-5000', { start: 990, end: 1000 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=0-1,5-6', null],
    ['items=0-1', null],
    ['nonsense', null],
  ])('reads the range %s (D67)', (range, expected) => {
    expect(requestedRange(1000, '"a"', { range })).toEqual(expected);
  });

  it('answers the whole file for a range of another version (D67)', () => {
    expect(requestedRange(1000, '"a"', { range: 'bytes=0-1', ifRange: '"b"' })).toBeNull();
    expect(requestedRange(1000, '"a"', { range: 'bytes=0-1', ifRange: '"a"' })).not.toBeNull();
  });

  it('never exceeds the file (D67)', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.string(), fc.nat(6_000), fc.nat(6_000), (size, junk, a, b) => {
        for (const range of [junk, `bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`]) {
          const found = requestedRange(size, '"a"', { range });
          if (found === null || found === 'unsatisfiable') continue;
          expect(found.start).toBeGreaterThanOrEqual(0);
          expect(found.start).toBeLessThan(found.end);
          expect(found.end).toBeLessThanOrEqual(size);
        }
      }),
    );
  });
});
