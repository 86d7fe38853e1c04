import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const serverDate = 'Sun, 06 Nov 1994 08:49:37 GMT';
const farFromServer = Date.parse('2026-11-21T00:00:00Z');

function hint(headers: Record<string, string>, body?: unknown) {
  return retryAfterMs({ headers: new Headers(headers), body, now: farFromServer });
}

describe('Retry-After', () => {
  it.each([
    ['seconds', '7', 7000],
    ['zero', '0', 0],
    ['fractional seconds', '1.5', 1500],
    ['an IMF date', 'Sun, 06 Nov 1994 08:49:47 GMT', 10_000],
    ['an RFC 850 date', 'Sunday, 06-Nov-94 08:49:47 GMT', 10_000],
    ['an asctime date', 'Sun Nov  6 08:49:47 1994', 10_000],
    ['a date that is over', 'Sun, 06 Nov 1994 08:00:00 GMT', 0],
    ['nonsense', 'soon', null],
    ['a negative number', '-3', null],
  ])('reads %s against the clock of the service', (_, value, expected) => {
    expect(hint({ 'retry-after': value, date: serverDate })).toBe(expected);
  });

  it('uses the own clock where the service tells no time', () => {
    expect(hint({ 'retry-after': new Date(farFromServer + 3000).toUTCString() })).toBe(3000);
  });

  it('reads the body where there is no header', () => {
    expect(hint({}, { retry_after_seconds: 3 })).toBe(3000);
    expect(hint({}, { retry_after_seconds: 'x' })).toBeNull();
    expect(hint({ 'retry-after': '1' }, { retry_after_seconds: 3 })).toBe(1000);
  });
});
