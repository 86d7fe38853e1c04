import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeJson, safeLine } from '../terminal-text.ts';
import { readableCell } from './cell.ts';
import { renderTable } from './table.ts';
import { fit, pad, widthOf } from './width.ts';

const table = (rows: Record<string, unknown>[], width = 80) =>
  renderTable(rows, {
    columns: ['id', 'name', 'amount'],
    id: 'id',
    heading: (column) => ({ id: '번호', name: '이름', amount: '금액' })[column] ?? column,
    width,
    style: (_, text) => text,
  });

describe('tables', () => {
  it('line up in Korean: a syllable takes two columns', () => {
    expect(
      table([
        { id: 'a1', name: '홍길동', amount: 1000 },
        { id: 'b22', name: 'Kim', amount: 5 },
      ]),
    ).toBe('번호  이름    금액\na1    홍길동  1000\nb22   Kim        5\n');
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

  it('where there is no room for columns, a row is a block', () => {
    const text = table([{ id: 'a-rather-long-identifier', name: '홍길동', amount: 1 }], 30);
    expect(text).toBe('번호  a-rather-long-identifier\n이름  홍길동\n금액  1\n');
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
    expect(readableCell('2026-11-21T09:00:00.123+09:00')).toBe('2026-11-21 09:00:00');
    expect(readableCell(['a', 'b'])).toBe('a, b');
    expect(readableCell(null)).toBe('-');
    expect(readableCell({ a: 1 })).toBe('{"a":1}');
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

  it('in JSON it is escaped, and means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const json = safeJson(JSON.stringify({ text }));
        expect(json).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
