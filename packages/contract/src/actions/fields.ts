import { Type } from 'typebox';
import type { Text } from '../action.ts';
import { nullable, oneOf } from '../schemas/vocabulary.ts';

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

/** A param's description. JSON Schema has room for one language, which tools and types read. */
export function described({ ko, en }: Text) {
  return { description: en, 'x-description-ko': ko } as const;
}

type Values = Readonly<Record<string, Text>>;

/** One of these values, each with what it is called. */
export function choice<const V extends Values>(
  values: V,
  about: Text,
  options: { default?: keyof V & string; 'x-label'?: string } = {},
) {
  return oneOf(codesOf(values), { ...listed(values, about), 'x-texts': values, ...options });
}

/** Several of these values, at least one. */
export function choices<const V extends Values>(
  values: V,
  about: Text,
  options: { default?: (keyof V & string)[] } = {},
) {
  return Type.Array(oneOf(codesOf(values), { 'x-texts': values }), {
    minItems: 1,
    uniqueItems: true,
    ...listed(values, about),
    ...options,
  });
}

/** `Which invoices: 01 sales, 02 purchases` */
function listed(values: Values, { ko, en }: Text) {
  const list = (language: keyof Text) =>
    codesOf(values)
      .map((value) => `${value} ${values[value]?.[language]}`)
      .join(', ');
  return described({ ko: `${ko}: ${list('ko')}`, en: `${en}: ${list('en')}` });
}

/** In one order whatever the names: JavaScript moves names that look like a number, as 99 does, to the front. */
function codesOf<const V extends Values>(values: V) {
  return Object.keys(values).sort() as (keyof V & string)[];
}

/** 10 digits, hyphens allowed. */
export const businessRegistrationNo = Type.String({
  pattern: '^\\d{3}-?\\d{2}-?\\d{5}$',
  'x-label': '사업자등록번호',
  ...described({
    ko: '사업자등록번호 10자리. 하이픈을 넣어도 됩니다.',
    en: 'Business registration number (사업자등록번호), 10 digits, hyphens allowed',
  }),
  examples: ['1234567891'],
});

export const currentPageNo = Type.Integer({
  minimum: 1,
  default: 1,
  ...described({
    ko: '조회할 페이지 번호(1부터). 마지막 페이지를 넘으면 빈 목록입니다.',
    en: 'Page to read, from 1; a page beyond the last one is empty',
  }),
});

/** YYYYMMDD or YYYY-MM-DD. The action's rules check that the day exists. */
export function date({ ko, en }: Text) {
  return Type.String({
    pattern: '^\\d{4}(\\d{4}|-\\d{2}-\\d{2})$',
    ...described({
      ko: `${ko} 형식: YYYYMMDD 또는 YYYY-MM-DD.`,
      en: `${en} (YYYYMMDD or YYYY-MM-DD)`,
    }),
    examples: ['20261101'],
  });
}

/** YYYYMM with a month of 01 to 12. */
export function yearMonth({ ko, en }: Text) {
  return Type.String({
    pattern: '^20\\d{2}(0[1-9]|1[0-2])$',
    ...described({ ko: `${ko} 형식: YYYYMM.`, en: `${en} (YYYYMM)` }),
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

/** A sentence that this service writes itself. */
export function ownText(description: string) {
  return Type.String({ description, 'x-own-text': true });
}

/** Bytes in base64, which a reader does not see unless it asks for them. */
export function bytes(description: string) {
  return Type.String({ description, contentEncoding: 'base64' });
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
