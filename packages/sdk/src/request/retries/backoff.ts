const BASE_MS = 500;
const CAP_MS = 8_000;

/** Full jitter: anywhere between 0 and `min(cap, base * 2^(n-1))` before retry n. */
export function backoffDelay(retry: number, random: () => number): number {
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** (retry - 1));
}

/** A delay that the service named: never earlier, and up to a tenth later, so that clients do not all return at once. */
export function hintedDelay(hintMs: number, random: () => number): number {
  return hintMs * (1 + 0.1 * random());
}
