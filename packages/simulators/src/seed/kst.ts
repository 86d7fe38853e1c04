/** Days and clock times in Korea (UTC+9, no daylight saving). A day is its number since 1970-01-01. */
const HOUR = 3_600_000;
export const DAY_MS = 24 * HOUR;
const OFFSET = 9 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');

export function dayOf(ms: number): number {
  return Math.floor((ms + OFFSET) / DAY_MS);
}

/** Midnight in Korea at which the day begins. */
export function startOfDay(day: number): number {
  return day * DAY_MS - OFFSET;
}

export function partsOf(day: number): { year: number; month: number; date: number } {
  const moment = new Date(day * DAY_MS);
  return {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    date: moment.getUTCDate(),
  };
}

export function dayFrom(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / DAY_MS;
}

export function formatDay(day: number, separator = ''): string {
  const { year, month, date } = partsOf(day);
  return [year, two(month), two(date)].join(separator);
}

/** HH:mm:ss in Korea. */
export function formatTime(ms: number): string {
  return new Date(ms + OFFSET).toISOString().slice(11, 19);
}

export function formatMoment(ms: number, separator = '-'): string {
  return `${formatDay(dayOf(ms), separator)} ${formatTime(ms)}`;
}

/** Reads YYYYMMDD, or YYYY-MM-DD when the separator is '-'; null if it is not a day. */
export function parseDay(text: string, separator: '' | '-' = ''): number | null {
  const pattern = separator === '-' ? /^(\d{4})-(\d{2})-(\d{2})$/ : /^(\d{4})(\d{2})(\d{2})$/;
  const match = pattern.exec(text);
  if (!match) return null;
  const day = dayFrom(Number(match[1]), Number(match[2]), Number(match[3]));
  return formatDay(day, separator) === text ? day : null;
}

/** Months since year 0, so that a range of months is a range of integers; null if it is not a month. */
export function parseMonth(text: string): number | null {
  const match = /^(\d{4})(0[1-9]|1[0-2])$/.exec(text);
  return match ? Number(match[1]) * 12 + Number(match[2]) - 1 : null;
}

export function formatMonth(month: number, separator = ''): string {
  return `${Math.floor(month / 12)}${separator}${two((month % 12) + 1)}`;
}

export function monthOf(ms: number): number {
  const { year, month } = partsOf(dayOf(ms));
  return year * 12 + month - 1;
}
