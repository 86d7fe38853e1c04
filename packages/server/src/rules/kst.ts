const OFFSET_MS = 9 * 3_600_000;
const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, '0'));
/** The day that was written last, as `2026-11-21T`: Date takes three times as long, and answers have many times. */
let lastDay = { start: Number.NaN, text: '' };

/** Milliseconds since the epoch as `2026-11-21T09:00:00.000+09:00`. Korea has no daylight saving time. */
export function kstTime(ms: number): string {
  const korea = Math.trunc(ms + OFFSET_MS);
  const start = Math.floor(korea / DAY_MS) * DAY_MS;
  if (start !== lastDay.start) lastDay = { start, text: inKorea(start - OFFSET_MS).slice(0, -13) };
  const since = korea - start;
  const hours = TWO_DIGITS[Math.floor(since / 3_600_000)];
  const minutes = TWO_DIGITS[Math.floor(since / 60_000) % 60];
  const seconds = TWO_DIGITS[Math.floor(since / 1_000) % 60];
  return `${lastDay.text}${hours}:${minutes}:${seconds}.${THREE_DIGITS[since % 1_000]}+09:00`;
}

export function kstTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : kstTime(ms);
}

/** The Korean calendar day, `2026-11-21`. */
export function kstDay(ms: number): string {
  return inKorea(ms).slice(0, 10);
}

/** The Korean calendar month, `2026-11`. */
export function kstMonth(ms: number): string {
  return inKorea(ms).slice(0, 7);
}

/** The next Korean midnight after `ms`. */
export function nextKstDay(ms: number): number {
  return (Math.floor((ms + OFFSET_MS) / DAY_MS) + 1) * DAY_MS - OFFSET_MS;
}

/** The beginning of the next Korean calendar month. */
export function nextKstMonth(ms: number): number {
  const korea = new Date(ms + OFFSET_MS);
  return Date.UTC(korea.getUTCFullYear(), korea.getUTCMonth() + 1) - OFFSET_MS;
}

function inKorea(ms: number): string {
  return new Date(ms + OFFSET_MS).toISOString();
}
