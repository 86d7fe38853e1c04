import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, isFormula } from './harmless-text.ts';

/** Besides the tab and the end of a line. */
const COMMANDS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const printed = (text: string) => escapeControls(text).replaceAll(/[\n\t]/g, '');

describe('text of others at a terminal', () => {
  it('shows what it would have done', () => {
    expect(escapeControls('\u001b[2J\u009b1;1H\u202ename\u061c\r')).toBe(
      '\\u001b[2J\\u009b1;1H\\u202ename\\u061c\\u000d',
    );
    expect(escapeControls('가나\t다\n라')).toBe('가나\t다\n라');
  });

  it('commands nothing, and JSON means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        expect(printed(text)).not.toMatch(COMMANDS);
        const json = JSON.stringify({ [text]: text }, null, 2);
        expect(printed(json)).not.toMatch(COMMANDS);
        expect(JSON.parse(escapeControls(json))).toEqual({ [text]: text });
      }),
    );
  });
});

describe('text of others in a spreadsheet', () => {
  it.each([
    '=1+1',
    '+82 10',
    '-a1',
    '@SUM(A1)',
    ' =1+1',
    '\t=1+1',
    '\u200e=1+1',
    '\u0001=1+1',
    '\u00a0=1+1',
    '\ufeff=1+1',
    '＝1+1',
    '＠SUM(A1)',
    '=1\n+1',
    '-',
  ])('%j may run', (text) => expect(isFormula(text)).toBe(true));

  it.each(['', '이체', '1=1', '-1200', '+12.5', '-1e+21', '=3', 'a@b', '(=1)'])(
    '%j does not',
    (text) => expect(isFormula(text)).toBe(false),
  );
});
