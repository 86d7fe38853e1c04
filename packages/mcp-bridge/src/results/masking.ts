/** Six digits, a hyphen or none, a digit that says century and sex, six more. */
const RESIDENT_NUMBER = /(?<!\d)\d{6}[-\s]?[1-8]\d{6}(?!\d)/g;
/** 10 to 16 digits with or without hyphens: what an account or a card may look like. */
const ACCOUNT_NUMBER = /(?<![\d-])\d(?:-?\d){9,15}(?![\d-])/g;

/** Resident numbers never; of account numbers the last four digits. */
export function maskNumbers(text: string): string {
  return text
    .replace(RESIDENT_NUMBER, '******-*******')
    .replace(ACCOUNT_NUMBER, (number) => `****${number.replaceAll('-', '').slice(-4)}`);
}
