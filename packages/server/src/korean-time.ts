const OFFSET_MS = 9 * 3_600_000;

/** A time as the wire shows it: `2026-11-21T09:00:00.000+09:00` (spec "Conventions", D143). */
export function koreanTime(ms: number): string {
  return new Date(ms + OFFSET_MS).toISOString().replace('Z', '+09:00');
}

/** The Korean calendar day of a time, `2026-11-21`: quota days and file names go by it. */
export function koreanDay(ms: number): string {
  return new Date(ms + OFFSET_MS).toISOString().slice(0, 10);
}
