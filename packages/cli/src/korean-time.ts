const OFFSET_MS = 9 * 60 * 60_000;

/** As on the wire: ISO 8601 in Korean time, wherever the machine is. */
export function koreanTime(ms: number): string {
  return new Date(ms + OFFSET_MS).toISOString().replace('Z', '+09:00');
}
