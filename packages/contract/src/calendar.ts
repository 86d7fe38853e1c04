/** Calendar days as `YYYYMMDD`, without clock or time zone. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** `YYYYMMDD` or `YYYY-MM-DD` as `YYYYMMDD`; null when the day does not exist. */
export function parseDay(text: string): string | null {
  const match = /^(\d{4})(-?)(\d{2})\2(\d{2})$/.exec(text);
  if (!match) return null;
  const day = `${match[1]}${match[3]}${match[4]}`;
  return formatDay(timeOf(day)) === day ? day : null;
}

/** The day `days` after (or, negative, before) `day`. */
export function addDays(day: string, days: number): string {
  return formatDay(timeOf(day) + days * DAY_MS);
}

/** Number of days from `from` to `to`, both inclusive: 1 for the same day. */
export function countDays(from: string, to: string): number {
  return Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1;
}

/** Number of months from `from` to `to` (`YYYYMM`), both inclusive. */
export function countMonths(from: string, to: string): number {
  const months = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(4));
  return months(to) - months(from) + 1;
}

/** The first day of the quarter that contains `day`. */
export function startOfQuarter(day: string): string {
  const month = Number(day.slice(4, 6));
  const first = month - ((month - 1) % 3);
  return `${day.slice(0, 4)}${String(first).padStart(2, '0')}01`;
}

function timeOf(day: string): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
}
