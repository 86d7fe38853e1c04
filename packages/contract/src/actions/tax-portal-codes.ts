import type { Text } from '../action.ts';

/** The tax portal's codes and their meanings. The use and submission codes are ours. */

type Codes = Readonly<Record<string, Text>>;

export const PURPOSE_CODES = {
  '01': { ko: '입찰·계약용', en: 'bids and contracts (입찰·계약용)' },
  '02': { ko: '수금용', en: 'collecting money (수금용)' },
  '03': { ko: '관공서 제출용', en: 'public offices (관공서 제출용)' },
  '04': { ko: '대출용', en: 'a loan (대출용)' },
  '05': { ko: '여권·비자 신청용', en: 'a passport or visa (여권·비자 신청용)' },
  '06': { ko: '건강보험공단 제출용', en: 'health insurance (건강보험공단 제출용)' },
  '07': { ko: '금융기관 제출용', en: 'financial institutions (금융기관 제출용)' },
  '99': { ko: '기타', en: 'other (기타)' },
} as const satisfies Codes;

export const SUBMIT_TO_CODES = {
  '01': { ko: '금융기관', en: 'financial institution (금융기관)' },
  '02': { ko: '관공서', en: 'public office (관공서)' },
  '03': { ko: '조합·협회', en: 'union or association (조합·협회)' },
  '04': { ko: '거래처', en: 'business partner (거래처)' },
  '05': { ko: '학교', en: 'school (학교)' },
  '99': { ko: '기타', en: 'other (기타)' },
} as const satisfies Codes;

export const PAYMENT_STATEMENT_KINDS = {
  A0051: { ko: '근로소득 지급명세서', en: 'wage income' },
  A0053: { ko: '퇴직소득 지급명세서', en: 'retirement income' },
  A0056: { ko: '의료비 지급명세서', en: 'medical expenses' },
  A0057: { ko: '기부금 명세서', en: 'donations' },
  A0086: { ko: '사업소득 지급명세서', en: 'business income' },
  A0085: { ko: '사업소득 연말정산 지급명세서', en: 'business income year-end settlement' },
  A0088: { ko: '기타소득 지급명세서', en: 'other income' },
  A0087: { ko: '종교인소득 지급명세서(연말정산)', en: 'religious income statement (year-end)' },
  A0084: { ko: '이자·배당소득 지급명세서', en: 'interest/dividend income' },
  A0283: { ko: '연금계좌 지급명세서', en: 'pension account' },
  A0055: { ko: '비거주자의 사업·기타소득 등 지급명세서', en: 'non-resident business/other income' },
  A0259: {
    ko: '비거주자 부동산 양도소득 지급명세서',
    en: 'non-resident real-estate transfer income',
  },
  A0257: {
    ko: '비거주자 유가증권 양도소득 지급명세서',
    en: 'non-resident securities transfer income',
  },
} as const satisfies Codes;

export const SUBMIT_HISTORY_TYPES = {
  A0161: { ko: '일용근로소득 간이지급명세서', en: 'daily wage simplified statement' },
  A0162: { ko: '근로소득 간이지급명세서(연말)', en: 'year-end simplified statement' },
  A0163: {
    ko: '비거주자 사업소득 간이지급명세서',
    en: 'non-resident business income simplified statement',
  },
  A0164: {
    ko: '비거주자 사업소득 연말정산 간이지급명세서',
    en: 'non-resident business income year-end simplified statement',
  },
  A0165: { ko: '기타소득 간이지급명세서', en: 'other income simplified statement' },
  F0025: {
    ko: '사업장제공자 등의 과세자료 제출명세서',
    en: 'workplace provider taxable-data submission statement',
  },
  F0026: { ko: '일용근로소득 지급명세서', en: 'daily wage income statement' },
} as const satisfies Codes;
