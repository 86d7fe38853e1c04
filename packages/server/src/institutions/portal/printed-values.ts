import { brokenPage } from './page.ts';

/** Minus as a hyphen, a minus sign, or the triangle of Korean accounts. */
const MONEY = /^([+\-−△▲]?)\s*(\d{1,3}(?:,\d{3})*|\d+)\s*원?$/;
/** The sign is before or after it. EUC-KR has only the wide one. */
const WON_SIGN = /^([+\-−△▲]?)\s*[₩￦]\s*/;
const COUNT = /^(\d{1,3}(?:,\d{3})*|\d+)\s*건?$/;
const DAY = /^(\d{4})\s*(?:[-./]|년)\s*(\d{1,2})\s*(?:[-./]|월)\s*(\d{1,2})\s*[.일]?$/;
const COMPACT_DAY = /^(\d{4})(\d{2})(\d{2})$/;
const MOMENT = /^(.{8,14}?)\s*(\d{1,2}):(\d{2}):(\d{2})$/;

/** Printed text as values. Text in any other format: PROVIDER_UPSTREAM_ERROR. */

/** `1,234원`, `-3,000`, `△3,000`, `￦-3,000` as whole won. */
export function printedWon(text: string): number {
  const match = MONEY.exec(text.replace(WON_SIGN, '$1'));
  if (match === null) throw brokenPage();
  const amount = integer(match[2]);
  return match[1] === '' || match[1] === '+' ? amount : -amount;
}

/** `12건`, `1,024`. */
export function printedCount(text: string): number {
  const match = COUNT.exec(text);
  if (match === null) throw brokenPage();
  return integer(match[1]);
}

/** `2026-11-21`, `2026.11.3`, `2026년 11월 3일`, `20261121` as YYYYMMDD; a day that the calendar has. */
export function printedDay(text: string): string {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? COMPACT_DAY.exec(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso) throw brokenPage();
  return iso.replaceAll('-', '');
}

/** The same, or null when the portal prints nothing or `-`. */
export function printedDayOrNull(text: string): string | null {
  return textOrNull(text) === null ? null : printedDay(text);
}

/** `2026-11-21 09:12:33`, Korean time, as ISO-8601. */
export function printedMoment(text: string): string {
  const [, day = '', hour = '', minute = '', second = ''] = MOMENT.exec(text) ?? [];
  const date = printedDay(day);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw brokenPage();
  const time = `${hour.padStart(2, '0')}:${minute}:${second}`;
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time}.000+09:00`;
}

/** Null for the placeholders that portals print for a missing value. */
export function textOrNull(text: string): string | null {
  return text === '' || text === '-' ? null : text;
}

/** The digits of a number with hyphens; null when there are none. */
export function digitsOrNull(text: string): string | null {
  const digits = text.replaceAll('-', '').trim();
  return /^\d+$/.test(digits) ? digits : null;
}

function integer(text: string | undefined): number {
  const value = Number((text ?? '').replaceAll(',', ''));
  if (!Number.isSafeInteger(value)) throw brokenPage();
  return value;
}
