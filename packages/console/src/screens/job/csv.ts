import { isFormula } from '@changgu/contract/harmless-text';
import { save } from '../../app/save-file.ts';
import { plainText, type Row } from './result-rows.ts';

/** As shown, with numbers unformatted, so that a spreadsheet can add them. */
export function toCsv(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [
    columns,
    ...rows.map((row) => columns.map((column) => cellOf(column, row[column]))),
  ];
  return lines.map((cells) => cells.map(quoted).join(',')).join('\r\n');
}

export function saveCsv(name: string, columns: readonly string[], rows: readonly Row[]): void {
  // With a byte order mark, which spreadsheets need to read Korean.
  const blob = new Blob(['\ufeff', toCsv(columns, rows)], { type: 'text/csv;charset=utf-8' });
  save(`${name.replaceAll(/[^\w.가-힣-]+/g, '_')}.csv`, blob);
}

function cellOf(column: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'number' ? String(value) : plainText(column, value);
}

function quoted(text: string): string {
  // The text may be an institution's.
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
