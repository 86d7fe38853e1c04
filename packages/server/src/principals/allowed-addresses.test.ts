import { expect, it } from 'vitest';
import { isAddressRange, isAllowedAddress } from './allowed-addresses.ts';

it.each([
  ['203.0.113.0/24', '203.0.113.77', true],
  ['203.0.113.0/24', '203.0.114.1', false],
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '::ffff:203.0.113.7', true],
  ['203.0.113.7', '::ffff:203.0.113.8', false],
  ['2001:db8::/32', '2001:db8:1::5', true],
  ['2001:db8::/32', '2001:db9::5', false],
  ['2001:db8::/32', 'fe80::1%eth0', false],
  ['0.0.0.0/0', '::1', false],
  ['0.0.0.0/0', null, false],
])('whether %s contains %s: %s', (range, address, contains) => {
  expect(isAllowedAddress([range], address)).toBe(contains);
});

it('takes only addresses and prefixes that fit them', () => {
  const wrong = [
    '',
    'here',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '::/129',
    '::/-1',
    '1.2.3.4/1e1',
  ];
  expect(wrong.filter(isAddressRange)).toEqual([]);
  expect(['1.2.3.4', '10.0.0.0/8', '::1', '2001:db8::/64'].every(isAddressRange)).toBe(true);
});
