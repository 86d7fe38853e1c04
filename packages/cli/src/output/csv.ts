import { plainCell } from './cell.ts';

/** Opens as UTF-8 in Excel, whose default in Korea is another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * One record as RFC 4180 has it.
 * @param spreadsheet a text that a spreadsheet would run as a formula is told to be text: institutions send what
 *   strangers wrote
 */
export function csvLine(values: readonly unknown[], spreadsheet: boolean): string {
  return `${values.map((value) => field(value, spreadsheet)).join(',')}\r\n`;
}

function field(value: unknown, spreadsheet: boolean): string {
  const formula = spreadsheet && typeof value === 'string' && /^[=+@-](?!\d+(\.\d+)?$)/.test(value);
  const text = `${formula ? "'" : ''}${plainCell(value)}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
