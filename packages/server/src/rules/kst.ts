import { DAY_MS, HOUR_MS } from './durations.ts';

/** Korea has no daylight saving time. */
export const KST_OFFSET_MS = 9 * HOUR_MS;
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, '0'));
/**
 * The days that were written, as `2026-11-21`, by their number since 1970: Date takes three times as long for a time,
 * and answers have many, and every submission asks for the day and the month that it is.
 */
const days = new Map<number, string>();
const MAX_DAYS = 1_000;

/** The last moment whose year has four digits, as every time in an answer. */
export const LAST_KST_MS = Date.parse('9999-12-31T23:59:59.999+09:00');

/** Milliseconds since the epoch as `2026-11-21T09:00:00.000+09:00`. */
export function kstTime(ms: number): string {
  const korea = Math.trunc(ms + KST_OFFSET_MS);
  const day = Math.floor(korea / DAY_MS);
  const since = korea - day * DAY_MS;
  const hours = TWO_DIGITS[Math.floor(since / HOUR_MS)];
  const minutes = TWO_DIGITS[Math.floor(since / 60_000) % 60];
  const seconds = TWO_DIGITS[Math.floor(since / 1_000) % 60];
  return `${textOf(day)}T${hours}:${minutes}:${seconds}.${THREE_DIGITS[since % 1_000]}+09:00`;
}

export function kstTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : kstTime(ms);
}

/** The Korean calendar day, `2026-11-21`. */
export function kstDay(ms: number): string {
  return textOf(dayOf(ms));
}

/** The Korean calendar month, `2026-11`. */
export function kstMonth(ms: number): string {
  return textOf(dayOf(ms)).slice(0, -3);
}

/** The next Korean midnight after `ms`. */
export function nextKstDay(ms: number): number {
  return (dayOf(ms) + 1) * DAY_MS - KST_OFFSET_MS;
}

/** The beginning of the next Korean calendar month. */
export function nextKstMonth(ms: number): number {
  const korea = new Date(ms + KST_OFFSET_MS);
  return Date.UTC(korea.getUTCFullYear(), korea.getUTCMonth() + 1) - KST_OFFSET_MS;
}

function dayOf(ms: number): number {
  return Math.floor((ms + KST_OFFSET_MS) / DAY_MS);
}

function textOf(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size === MAX_DAYS) days.clear();
  const text = new Date(day * DAY_MS).toISOString().slice(0, -14);
  days.set(day, text);
  return text;
}
