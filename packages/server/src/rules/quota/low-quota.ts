/** From this share of a limit on, its owner is told that little is left. */
const LOW_SHARE = 0.9;

interface Charge {
  /** After the charge. */
  readonly used: number;
  readonly tokens: number;
  readonly limit: number;
}

/** Whether this charge is the one that leaves little. */
export function crossesLowQuota({ used, tokens, limit }: Charge): boolean {
  const low = limit * LOW_SHARE;
  return limit > 0 && used >= low && used - tokens < low;
}
