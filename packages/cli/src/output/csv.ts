import { isFormula } from '@changgu/contract/harmless-text';
import { plainCell } from './cell.ts';

/** Makes Excel read it as UTF-8; its default in Korea is another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * One record in the format of RFC 4180.
 * @param spreadsheet marks text that a spreadsheet would run as a formula, because institutions pass on what
 * strangers wrote
 */
export function csvLine(values: readonly unknown[], spreadsheet: boolean): string {
  return `${values.map((value) => field(value, spreadsheet)).join(',')}\r\n`;
}

function field(value: unknown, spreadsheet: boolean): string {
  // Asked of what is written: a mark that is taken out may have stood before the sign.
  const cell = plainCell(value);
  const text = spreadsheet && typeof value === 'string' && isFormula(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
