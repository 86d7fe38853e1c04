/**
 * All processes lock rows in this order, by code units. `localeCompare` follows the language of each process, so that
 * two of them could wait for each other.
 */
export function inLockOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
