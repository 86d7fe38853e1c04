import { kstMonth } from '../kst.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * `INV-202611-4K2Z0Q`, by the Korean month of its creation. The database guarantees that it is unique.
 * @param randomBelow returns a random integer from zero up to, but excluding, its argument
 */
export function invoiceNumber(createdAt: number, randomBelow: (limit: number) => number): string {
  const month = kstMonth(createdAt).replace('-', '');
  const tail = Array.from({ length: 6 }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('');
  return `INV-${month}-${tail}`;
}
