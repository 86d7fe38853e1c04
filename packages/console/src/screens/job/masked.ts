import { maskNumbers } from '@changgu/contract/catalogue';

/**
 * Fields by which people quote a certificate, an application, a business or a post. Such a number looks like that of an
 * account and is none.
 */
const QUOTED = new Set([
  'issue_no',
  'receipt_no',
  'business_registration_no',
  'business_management_no',
  'business_management_no_hyphenated',
  'business_number',
  'biz_number',
  'bsno',
  'isoa_no',
  'atfl_id',
  'atch_file_sn',
  'qstn_sn',
  'pst_sn',
  'row_key',
  'bank_account_credential_id',
]);
/** Some institutions take it for the number of a business, of people who have none. */
const RESIDENT_NUMBER = /^\d{6}-[1-8]\d{6}$/;

/** A value of that name, and all within it, with personal and account numbers masked. */
export function masked(name: string, value: unknown): unknown {
  if (typeof value === 'string') return maskedText(name, value);
  if (Array.isArray(value)) return value.map((each) => masked(name, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, masked(key, each)] as const),
  );
}

export function maskedText(name: string, text: string): string {
  return QUOTED.has(name) && !RESIDENT_NUMBER.test(text) ? text : maskNumbers(text);
}
