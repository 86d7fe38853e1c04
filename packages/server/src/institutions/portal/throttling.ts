import type { PortalResponse } from '../connector.ts';

/** How often a request is repeated after a portal's "too many requests". */
export const MAX_THROTTLED = 3;
/** In milliseconds, when the portal names no time. */
const DEFAULT_RETRY_AFTER = 3_000;

const MIN_MS = 1_000;
/** A longer wait is left to another job. */
const MAX_MS = 60_000;

/** How long a throttling portal wants to be left alone; null when that is too long. */
export function retryAfterMs(
  { header }: Pick<PortalResponse, 'header'>,
  now: number,
): number | null {
  const after = header('retry-after')?.trim() ?? '';
  const asked = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now;
  const ms = Number.isNaN(asked) ? DEFAULT_RETRY_AFTER : Math.max(MIN_MS, asked);
  return ms > MAX_MS ? null : ms;
}
