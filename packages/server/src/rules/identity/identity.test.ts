import { expect, it } from 'vitest';
import { toBusinessNumber } from './business-number.ts';
import { toE164 } from './phone.ts';

it.each([
  ['010-1234-5678', '+821012345678'],
  ['01012345678', '+821012345678'],
  ['011-234-5678', '+82112345678'],
])('the mobile number %s is %s (D88)', (phone, e164) => {
  expect(toE164(phone)).toBe(e164);
});

it.each(['', '02-123-4567', '010-12-5678', '+821012345678', '010 1234 5678', '012-1234-5678'])(
  '%j is not a Korean mobile number (D88)',
  (phone) => {
    expect(toE164(phone)).toBeNull();
  },
);

it('a business number needs its check digit; hyphens are optional (D88)', () => {
  expect(toBusinessNumber('124-81-00998')).toBe('1248100998');
  expect(toBusinessNumber('1234567891')).toBe('1234567891');
  for (const digit of [0, 1, 2, 3, 4, 5, 6, 7, 9]) {
    expect(toBusinessNumber(`124810099${digit}`)).toBeNull();
  }
  expect(toBusinessNumber('124-8100998')).toBe('1248100998');
  expect(toBusinessNumber('12481009980')).toBeNull();
  expect(toBusinessNumber('１２４8100998')).toBeNull();
});
