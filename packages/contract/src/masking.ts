/** Six digits, a digit that says century and sex, six more; a hyphen or spaces between, or nothing. */
const RESIDENT_NUMBER = /(?<!\d)\d{6}(?:\s*-\s*|\s?)[1-8]\d{6}(?!\d)/g;
/** 10 to 16 digits with or without hyphens and spaces: what an account or a card may look like. A date is none. */
const ACCOUNT_NUMBER =
  /(?<![\d-])(?!\d{4}[-. ]\d\d?[-. ]\d\d?(?!\d))\d(?:\s?-?\s?\d){9,15}(?!-?\d)/g;

/** Resident numbers never; of account numbers the last four digits. */
export function maskNumbers(text: string): string {
  return text
    .replace(RESIDENT_NUMBER, '******-*******')
    .replace(ACCOUNT_NUMBER, (number) => `****${number.replace(/\D/g, '').slice(-4)}`);
}
