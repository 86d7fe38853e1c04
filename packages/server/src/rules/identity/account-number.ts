const ACCOUNT_NUMBER = /^\d{8,16}$/;
const ACCOUNT_PASSWORD = /^\d{4}$/;

/** The digits of a bank account number; null unless 8 to 16. Hyphens are dropped. */
export function toAccountNumber(text: string): string | null {
  const digits = text.replaceAll('-', '');
  return ACCOUNT_NUMBER.test(digits) ? digits : null;
}

export function isAccountPassword(text: string): boolean {
  return ACCOUNT_PASSWORD.test(text);
}

/** First three and last four digits, stars between: `110*****7890`. */
export function maskAccountNumber(digits: string): string {
  return `${digits.slice(0, 3)}${'*'.repeat(digits.length - 7)}${digits.slice(-4)}`;
}
