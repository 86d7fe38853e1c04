/** Crockford's base 32, in which texts sort like their numbers. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Enough digits for any safe integer; two of them are as long as a ULID. */
export const SORTABLE_LENGTH = 13;

export function sortableText(value: number): string {
  let text = '';
  for (let rest = value; text.length < SORTABLE_LENGTH; rest = Math.floor(rest / DIGITS.length)) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
  }
  return text;
}

/** Null for any other text. */
export function sortedNumber(text: string): number | null {
  if (text.length !== SORTABLE_LENGTH) return null;
  let value = 0;
  for (const digit of text) {
    const number = DIGITS.indexOf(digit);
    if (number === -1) return null;
    value = value * DIGITS.length + number;
  }
  return Number.isSafeInteger(value) ? value : null;
}
