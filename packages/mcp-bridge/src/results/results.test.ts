import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitData } from './fit-size.ts';
import { maskNumbers } from './masking.ts';
import { safeName } from './saved-files.ts';

describe('what a result shows', () => {
  it.each([
    ['계좌 110-123-456789 입금', '계좌 ****6789 입금'],
    ['1234567890123456', '****3456'],
    ['901010-1234567', '******-*******'],
    ['2026-11-21 09:00', '2026-11-21 09:00'],
    ['잔액 12,345,678원', '잔액 12,345,678원'],
  ])('masks %s', (text, shown) => expect(maskNumbers(text)).toBe(shown));

  it('holds as many rows as there is room for, and all of them page by page', () => {
    const rows = fc.array(fc.record({ text: fc.string({ maxLength: 60 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 450, max: 2_000 }), (items, budget) => {
        const seen: unknown[] = [];
        for (let cursor: number | null = 0; cursor !== null; ) {
          const fitted = fitData({ total: items.length, items }, cursor, budget);
          expect(JSON.stringify(fitted.data).length).toBeLessThanOrEqual(budget);
          seen.push(...(fitted.data as { items: unknown[] }).items);
          cursor = fitted.nextCursor;
        }
        expect(seen).toEqual(items);
      }),
    );
  });

  it('leaves out what cannot fit, and says so', () => {
    expect(fitData({ body: 'x'.repeat(600) }, 0, 500)).toMatchObject({
      data: {},
      warnings: [expect.stringContaining('too large')],
    });
  });

  it.each([
    ['../../etc/passwd', '__.._etc_passwd'],
    ['거래내역.xlsx', '거래내역.xlsx'],
    ['a\u202Etxt.exe', 'a_txt.exe'],
    ['', 'file'],
  ])('keeps %j in its folder', (name, safe) => expect(safeName(name)).toBe(safe));
});
