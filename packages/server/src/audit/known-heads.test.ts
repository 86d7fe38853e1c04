import { expect, it } from 'vitest';
import { readKnownHeads } from './known-heads.ts';

const HEAD = { scope: 'service', number: 3, hash: 'a'.repeat(64) };
const line = (printed: object) => `${JSON.stringify(printed)}\n`;

it('reads the heads that an earlier verification printed', () => {
  const printed = line({ sealed: 3, unsealed: 0, heads: [HEAD], broken: null });
  expect(readKnownHeads(printed)).toEqual([HEAD]);
});

const WHOLE = { heads: [HEAD], broken: null };

it.each([
  ['nothing', '', /not one line of JSON/],
  ['two lines', line(WHOLE).repeat(2), /not one line of JSON/],
  ['no object', 'null', /no "heads"/],
  ['an empty object', '{}', /no "heads"/],
  ['a line of the export', line({ seq: 1, act: 'user.log_in', ...HEAD }), /no "heads"/],
  ['no heads at all', line({ heads: [], broken: null }), /not a list/],
  ['another hash', line({ ...WHOLE, heads: [{ ...HEAD, hash: 'x' }] }), /not a list/],
  ['a number as text', line({ ...WHOLE, heads: [{ ...HEAD, number: '3' }] }), /not a list/],
  ['a run that found a break', line({ ...WHOLE, broken: HEAD }), /found a broken chain/],
  ['a run that does not say', line({ heads: [HEAD] }), /found a broken chain/],
])('refuses %s, because comparing with less finds every chain whole', (_, text, problem) => {
  expect(() => readKnownHeads(text)).toThrow(problem);
});
