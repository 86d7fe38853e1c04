const OFFSET_MS = 9 * 3_600_000;
const DAY_MS = 86_400_000;

/** Milliseconds since the epoch as `2026-11-21T09:00:00.000+09:00`. Korea has no daylight saving time. */
export function kstTime(ms: number): string {
  return inKorea(ms).replace('Z', '+09:00');
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
