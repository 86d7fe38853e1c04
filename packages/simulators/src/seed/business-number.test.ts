import { expect, it } from 'vitest';
import { MAGIC_ENDINGS } from '../portal/magic.ts';
import { businessNumberEndingIn, isBusinessNumber } from './business-number.ts';

it('knows right and wrong check digits', () => {
  expect(isBusinessNumber('1234567891')).toBe(true);
  expect(isBusinessNumber('1234567890')).toBe(false);
  expect(isBusinessNumber('123456789')).toBe(false);
});

it.each(MAGIC_ENDINGS)('there is a valid business number ending in %s', (ending) => {
  const number = businessNumberEndingIn(ending);
  expect(isBusinessNumber(number)).toBe(true);
  expect(number.endsWith(ending)).toBe(true);
});
