import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

const cellOf = (value: unknown) => toCsv(['memo'], [{ memo: value }]).split('\r\n')[1];

it.each(['=A1', ' =A1', '\u0001=A1', '\u00a0@A1', '＝A1'])(
  'a spreadsheet runs no text as a formula: %j',
  (text) => expect(cellOf(text)).toBe(`'${text}`),
);

it.each([-1200, '-1200', '+12.5', '이체 -1'])('a number stays one, and words stay: %j', (value) =>
  expect(cellOf(value)).toBe(String(value)),
);
