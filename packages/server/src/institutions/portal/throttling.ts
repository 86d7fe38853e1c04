/** How often a portal that says it was asked too often is asked again. */
export const MAX_THROTTLED = 3;
/** In milliseconds, where it does not say when. */
export const DEFAULT_RETRY_AFTER = 3_000;

const MIN_MS = 1_000;
/** Longer is for another job. */
const MAX_MS = 60_000;

/** Milliseconds that a Retry-After header asks for, seconds or a date; null when that is too long. */
export function retryAfterMs(header: string, now: number): number | null {
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  const ms = Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER : Math.max(MIN_MS, seconds);
  return ms > MAX_MS ? null : ms;
}
