/** Six digits, a digit for century and sex, six more; with or without a hyphen or spaces in between. */
const RESIDENT_NUMBER = /(?<!\d)\d{6}(?:\s*-\s*|\s?)[1-8]\d{6}(?!\d)/g;
/** 10 to 16 digits with or without hyphens and spaces, like an account or card number. Dates are excluded. */
const ACCOUNT_NUMBER =
  /(?<![\d-])(?!\d{4}[-. ]\d\d?[-. ]\d\d?(?!\d))\d(?:\s?-?\s?\d){9,15}(?!-?\d)/g;

/** Removes resident registration numbers, and all but the last four digits of account numbers. */
export function maskNumbers(text: string): string {
  return text
    .replace(RESIDENT_NUMBER, '******-*******')
    .replace(ACCOUNT_NUMBER, (number) => `****${number.replace(/\D/g, '').slice(-4)}`);
}
