import { Type } from 'typebox';
import { nullable } from '../schemas/vocabulary.ts';

/** Fields shared by several institutions. Descriptions include the Korean term where a portal prints one. */

export const success = Type.Boolean({ description: 'True: the institution answered the call' });

export const rowIndex = Type.Integer({
  minimum: 1,
  description: 'Number of the row in this answer, from 1',
});

export const rowCount = Type.Integer({
  minimum: 0,
  description: 'Rows in this answer; 0 when nothing was found, which is not a failure',
});

/** 10 digits, hyphens allowed. */
export const businessRegistrationNo = Type.String({
  pattern: '^\\d{3}-?\\d{2}-?\\d{5}$',
  'x-label': '사업자등록번호',
  description: 'Business registration number (사업자등록번호), 10 digits, hyphens allowed',
  examples: ['1234567891'],
});

export const currentPageNo = Type.Integer({
  minimum: 1,
  default: 1,
  description: 'Page to read, from 1; a page beyond the last one is empty',
});

/** YYYYMMDD or YYYY-MM-DD. The action's rules check that the day exists. */
export function date(description: string) {
  return Type.String({
    pattern: '^\\d{4}(\\d{4}|-\\d{2}-\\d{2})$',
    description: `${description} (YYYYMMDD or YYYY-MM-DD)`,
    examples: ['20261101'],
  });
}

/** YYYYMM with a month of 01 to 12. */
export function yearMonth(description: string) {
  return Type.String({
    pattern: '^20\\d{2}(0[1-9]|1[0-2])$',
    description: `${description} (YYYYMM)`,
    examples: ['202610'],
  });
}

/** Integer won: KRW has no minor unit, so these are the "minor units" of the specification. */
export function won(description: string) {
  return Type.Integer({ description: `${description} (won)` });
}

/**
 * Text written by others: a portal, a bank or a counterparty. A tool result passes it to a model
 * as data, `{untrusted_text}`.
 */
export function prose(description: string) {
  return Type.String({ description, 'x-untrusted-text': true });
}

export function maybeProse(description: string) {
  return nullable(prose(description));
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

export function text(description: string) {
  return Type.String({ description });
}

export function maybeText(description: string) {
  return nullable(text(description));
}

export function flag(description: string) {
  return Type.Boolean({ description });
}
