/** The tax portal's codes and their meanings. The use and submission codes are ours. */

export const PURPOSE_CODES = {
  '01': '입찰·계약용',
  '02': '수금용',
  '03': '관공서 제출용',
  '04': '대출용',
  '05': '여권·비자 신청용',
  '06': '건강보험공단 제출용',
  '07': '금융기관 제출용',
  '99': '기타',
} as const;

export const SUBMIT_TO_CODES = {
  '01': '금융기관',
  '02': '관공서',
  '03': '조합·협회',
  '04': '거래처',
  '05': '학교',
  '99': '기타',
} as const;

export const PAYMENT_STATEMENT_KINDS = {
  A0051: 'wage income',
  A0053: 'retirement income',
  A0056: 'medical expenses',
  A0057: 'donations',
  A0086: 'business income',
  A0085: 'business income year-end settlement',
  A0088: 'other income',
  A0087: 'religious income statement (year-end)',
  A0084: 'interest/dividend income',
  A0283: 'pension account',
  A0055: 'non-resident business/other income',
  A0259: 'non-resident real-estate transfer income',
  A0257: 'non-resident securities transfer income',
} as const;

export const SUBMIT_HISTORY_TYPES = {
  A0161: 'daily wage simplified statement',
  A0162: 'year-end simplified statement',
  A0163: 'non-resident business income simplified statement',
  A0164: 'non-resident business income year-end simplified statement',
  A0165: 'other income simplified statement',
  F0025: 'workplace provider taxable-data submission statement',
  F0026: 'daily wage income statement',
} as const;

/** The codes of a table, in its order. */
export function codesOf<const T extends Readonly<Record<string, string>>>(table: T) {
  return Object.keys(table).sort() as (keyof T & string)[];
}

/** `01 금융기관, 02 관공서`: the codes as a param's description lists them. */
export function codeList(table: Readonly<Record<string, string>>): string {
  return codesOf(table)
    .map((code) => `${code} ${table[code]}`)
    .join(', ');
}
