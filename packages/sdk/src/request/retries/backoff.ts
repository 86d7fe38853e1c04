/** Bounds of the exponential backoff. */
export interface BackoffLimits {
  readonly baseMs: number;
  readonly capMs: number;
}

export const DEFAULT_BACKOFF: BackoffLimits = { baseMs: 500, capMs: 8_000 };

/** Full jitter: anywhere between 0 and `min(cap, base * 2^(n-1))` before retry n. */
export function backoffDelay(retry: number, limits: BackoffLimits, random: () => number): number {
  return random() * Math.min(limits.capMs, limits.baseMs * 2 ** (retry - 1));
}

/** A delay that the service named: never earlier, and up to a tenth later, so that clients do not all return at once. */
export function hintedDelay(hintMs: number, random: () => number): number {
  return hintMs * (1 + 0.1 * random());
}
