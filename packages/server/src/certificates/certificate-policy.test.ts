import { expect, it } from 'vitest';
import { certificateKind } from './certificate-policy.ts';

it.each([
  ['1.2.410.200005.1.1.1', 'person'],
  ['1.2.410.200005.1.1.5', 'corporation'],
  ['1.2.410.200004.5.2.1.2', 'person'],
  ['1.2.410.200004.5.2.1.1', 'corporation'],
  ['1.2.3.4', 'unknown'],
  ['toString', 'unknown'],
  [null, 'unknown'],
])('D84 policy %s is of a %s', (policyOid, kind) => {
  expect(certificateKind(policyOid)).toBe(kind);
});
