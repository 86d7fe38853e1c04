import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. Hashes first, so that neither content nor length shows in the time. */
export function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}

/** Compares in constant time what is of a known length: a digest or a code of authentication. */
export function sameBytes(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
