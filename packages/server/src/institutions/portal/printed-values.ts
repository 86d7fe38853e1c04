import { brokenPage } from './page.ts';

const MONEY = /^([+-]?)\s*(\d{1,3}(?:,\d{3})*|\d+)\s*원?$/;
const COUNT = /^(\d{1,3}(?:,\d{3})*|\d+)\s*건?$/;
const DAY = /^(\d{4})[-.]?(\d{2})[-.]?(\d{2})\.?$/;
const MOMENT = /^(\d{4})[-.](\d{2})[-.](\d{2})\s*(\d{2}):(\d{2}):(\d{2})$/;

/** Printed text as values. Text in any other format: PROVIDER_UPSTREAM_ERROR. */

/** `1,234원`, `-3,000` as whole won. */
export function printedWon(text: string): number {
  const match = MONEY.exec(text);
  if (match === null) throw brokenPage();
  const amount = integer(match[2]);
  return match[1] === '-' ? -amount : amount;
}

/** `12건`, `1,024`. */
export function printedCount(text: string): number {
  const match = COUNT.exec(text);
  if (match === null) throw brokenPage();
  return integer(match[1]);
}

/** `2026-11-21`, `2026.11.21`, `20261121` as YYYYMMDD. */
export function printedDay(text: string): string {
  const match = DAY.exec(text);
  if (match === null) throw brokenPage();
  return `${match[1]}${match[2]}${match[3]}`;
}

/** The same, or null when the portal prints nothing or `-`. */
export function printedDayOrNull(text: string): string | null {
  return textOrNull(text) === null ? null : printedDay(text);
}

/** `2026-11-21 09:12:33`, Korean time, as ISO-8601 (D143). */
export function printedMoment(text: string): string {
  const match = MOMENT.exec(text);
  if (match === null) throw brokenPage();
  const [, year, month, day, hour, minute, second] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000+09:00`;
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
