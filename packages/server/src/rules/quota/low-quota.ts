/** The used share of a limit from which on its owner is warned. */
const LOW_SHARE = 0.9;

interface Charge {
  /** After the charge. */
  readonly used: number;
  readonly tokens: number;
  readonly limit: number;
}

/** The use of a limit from which on its owner is warned. */
export function lowQuota(limit: number): number {
  return limit * LOW_SHARE;
}

/** Whether this charge crosses that share. */
export function crossesLowQuota({ used, tokens, limit }: Charge): boolean {
  const low = lowQuota(limit);
  return limit > 0 && used >= low && used - tokens < low;
}
