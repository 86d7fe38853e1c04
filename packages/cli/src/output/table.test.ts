import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeLine } from '../terminal-text.ts';
import { type CellSettings, cellLines, readableCell } from './cell.ts';
import { renderTable } from './table.ts';
import { fit, pad, widthOf } from './width.ts';

const SETTINGS: CellSettings = {
  language: 'ko',
  yes: '예',
  no: '아니요',
  nameOf: (name) => (name === 'provider' ? '기관' : name),
  now: null,
};
const cell = (value: unknown, column = 'name') => readableCell(value, column, SETTINGS);
const table = (
  rows: Record<string, unknown>[],
  width = 80,
  columns: readonly string[] = ['id', 'name', 'amount'],
) =>
  renderTable(rows, {
    columns,
    whole: ['id'],
    elastic: ['actor_id'],
    expendable: [],
    heading: (column) => ({ id: '번호', name: '이름', amount: '금액' })[column] ?? column,
    cell: (value, column) => readableCell(value, column, SETTINGS),
    lines: (value, column) => cellLines(value, column, SETTINGS),
    width,
    wrapAt: width,
    style: (_, text) => text,
  }).text;

describe('tables', () => {
  it('line up in Korean: a syllable takes two columns', () => {
    expect(
      table([
        { id: 'a1', name: '홍길동', amount: 1000 },
        { id: 'b22', name: 'Kim', amount: 5 },
      ]),
    ).toBe('번호  이름     금액\na1    홍길동  1,000\nb22   Kim         5\n');
  });

  it('shorten long texts alike, and among them an id that no one copies', () => {
    const long = (letter: string) => letter.repeat(40);
    const row = { id: 'a1', name: long('n'), target: long('t'), actor_id: long('a') };
    const [, line] = table([row], 70, ['id', 'name', 'target', 'actor_id']).split('\n');
    const lengths = line?.split(/ {2,}/).map((text) => text.length);
    expect(lengths).toEqual([2, 20, 20, 20]);
  });

  it('shorten no time, whatever its name', () => {
    const times = { cert_not_after: 'in 7,339 days and more', last_used_on: '2026-11-27 09:00' };
    const row = { id: 'a1', name: 'n'.repeat(60), ...times };
    const text = table([row], 64, ['id', 'name', 'cert_not_after', 'last_used_on']);
    for (const time of Object.values(times)) expect(text).toContain(time);
  });

  it('no line is wider than the terminal, and the id is whole', () => {
    const row = fc.record({
      id: fc.stringMatching(/^[a-z0-9]{1,30}$/),
      name: fc.string({ unit: 'grapheme', maxLength: 60 }),
      amount: fc.integer(),
    });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 60, max: 120 }),
        (rows, width) => {
          const lines = table(rows, width).trimEnd().split('\n');
          expect(lines).toHaveLength(rows.length + 1);
          for (const [index, { id }] of rows.entries()) {
            expect(lines[index + 1]?.startsWith(id)).toBe(true);
          }
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it('prints each row as a block where there is no room for columns', () => {
    const text = table([{ id: 'a-rather-long-identifier', name: '홍길동', amount: 1 }], 30);
    expect(text).toBe('번호  a-rather-long-identifier\n이름  홍길동\n금액  1\n');
  });

  it('wraps a block between words, and puts a long word below its name', () => {
    const name = '가나다라 마바사 아자차카 타파하';
    expect(table([{ id: 'an-identifier-of-27-columns', name, amount: 1 }], 30)).toBe(
      '번호\n  an-identifier-of-27-columns\n이름  가나다라 마바사 아자차카\n      타파하\n금액  1\n',
    );
  });

  it('no line of a block is wider than the terminal, but a word that is', () => {
    const text = fc
      .array(fc.string({ unit: 'grapheme', maxLength: 12 }))
      .map((all) => all.join(' '));
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 59 }), (name, width) => {
        const lines = table([{ id: 'x'.repeat(60), name: safeLine(name), amount: 1 }], width);
        for (const line of lines.split('\n')) {
          if (/\S\s+\S/.test(line)) expect(widthOf(line), line).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

describe('widths', () => {
  it('cut at whole characters, with an ellipsis', () => {
    expect(fit('홍길동', 6)).toBe('홍길동');
    expect(fit('홍길동', 5)).toBe('홍길…');
    expect(fit('홍길동', 4)).toBe('홍…');
    expect(pad('홍', 4)).toBe('홍  ');
    expect(pad('홍', 4, 'right')).toBe('  홍');
  });
});

describe('cells', () => {
  it('show times of the service without what they all have in common', () => {
    expect(cell('2026-11-21T09:00:00.123+09:00')).toBe('2026-11-21 09:00:00');
    expect(cell(['a', 'b'])).toBe('a, b');
    expect(cell(null)).toBe('-');
    expect(cell({ a: 1, b: null })).toBe('a: 1, b: -');
    expect(cell(false)).toBe('아니요');
  });

  it('show amounts with thousands apart, and leave numbers that name something', () => {
    expect(cell(25947423, 'balance')).toBe('25,947,423');
    expect(cell(-1234.5, 'amount')).toBe('-1,234.5');
    expect(cell(20261, 'organization_id')).toBe('20261');
  });

  it('tell on a terminal how long ago it was', () => {
    const now = Date.parse('2026-11-21T12:00:00+09:00');
    const said = (at: string, language: 'ko' | 'en') =>
      readableCell(`2026-11-${at}:00.000+09:00`, 'at', { ...SETTINGS, language, now });
    expect(said('21T11:57', 'ko')).toBe('3분 전');
    expect(said('21T11:57', 'en')).toBe('3 minutes ago');
    expect(said('23T12:00', 'en')).toBe('in 2 days');
    expect(said('21T11:59', 'en')).toBe('1 minute ago');
  });

  it('show what holds several things on several lines of a record', () => {
    const links = [
      { provider: 'bank_a', id: 'x' },
      { provider: 'bank_b', id: 'y' },
    ];
    expect(cellLines(links, 'fan_out', SETTINGS)).toEqual([
      '기관: bank_a, id: x',
      '기관: bank_b, id: y',
    ]);
  });
});

describe('what a server sends never commands the terminal', () => {
  it('in text nothing is left that is not printed', () => {
    expect(safeLine('\u001b[2J\u001b]0;title\u0007red\u009b31m\r\nnext\u202eback')).toBe(
      'red  nextback',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        expect(safeLine(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
