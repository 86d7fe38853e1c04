import { expect, it } from 'vitest';
import { ownerOfPolicy } from './certificate-policy.ts';

it.each([
  ['1.2.410.200005.1.1.1', 'individual'],
  ['1.2.410.200005.1.1.5', 'business'],
  ['1.2.410.200004.5.2.1.2', 'individual'],
  ['1.2.410.200004.5.2.1.1', 'business'],
  ['1.2.3.4', null],
  ['toString', null],
  [null, null],
])('policy %s is of the owner %s (D84)', (policyOid, owner) => {
  expect(ownerOfPolicy(policyOid)).toBe(owner);
});
