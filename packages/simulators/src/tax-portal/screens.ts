import type { MemberKind } from '../demo/members.ts';

/** A certificate that can be applied for. */
export interface CertificateScreen {
  screenId: string;
  code: string;
  title: string;
  titleEn: string;
  /** Who may apply: businesses only, persons only, or anyone. */
  who: 'anyone' | 'business' | 'person';
  /** What the form asks beside the common fields, already filled in. */
  period: 'none' | 'year' | 'half_year';
}

export const SCREENS: readonly CertificateScreen[] = [
  {
    screenId: 'UTERDAAA04',
    code: 'B0006',
    title: '납세증명서(국세완납증명)',
    titleEn: 'Certificate of Tax Clearance',
    who: 'anyone',
    period: 'none',
  },
  {
    screenId: 'UTERDAAA06',
    code: 'B0005',
    title: '납부내역증명(납세사실증명)',
    titleEn: 'Certificate of Tax Payment',
    who: 'anyone',
    period: 'year',
  },
  {
    screenId: 'UTERDAAA08',
    code: 'B0008',
    title: '부가가치세 과세표준증명',
    titleEn: 'Certificate of VAT Tax Base',
    who: 'anyone',
    period: 'half_year',
  },
  {
    screenId: 'UTEABGAA21',
    code: 'B0001',
    title: '사업자등록증명',
    titleEn: 'Certificate of Business Registration',
    who: 'anyone',
    period: 'none',
  },
  {
    screenId: 'UTEABDAA02',
    code: 'B0011',
    title: '휴업사실증명',
    titleEn: 'Certificate of Business Suspension',
    who: 'business',
    period: 'none',
  },
  {
    screenId: 'UTEABDAA04',
    code: 'B0013',
    title: '표준재무제표증명',
    titleEn: 'Certificate of Standard Financial Statements',
    who: 'business',
    period: 'year',
  },
  {
    screenId: 'UTEABDAA03',
    code: 'B0012',
    title: '폐업사실증명',
    titleEn: 'Certificate of Business Closure',
    who: 'business',
    period: 'none',
  },
  {
    screenId: 'UTEABAAA12',
    code: 'A0003',
    title: '사업자등록증 재발급',
    titleEn: 'Business Registration (Reissue)',
    who: 'business',
    period: 'none',
  },
  {
    screenId: 'UTESFAAE35',
    code: 'B1022',
    title: '소득금액증명(종합소득세 신고자용)',
    titleEn: 'Certificate of Income Amount',
    who: 'person',
    period: 'year',
  },
];

export const PURPOSES: Readonly<Record<string, string>> = {
  '01': '입찰·계약용',
  '02': '수금용',
  '03': '관공서 제출용',
  '04': '대출용',
  '05': '여권·비자 신청용',
  '06': '건강보험공단 제출용',
  '07': '금융기관 제출용',
  '99': '기타',
};

export const RECEIVERS: Readonly<Record<string, string>> = {
  '01': '금융기관',
  '02': '관공서',
  '03': '조합·협회',
  '04': '거래처',
  '05': '학교',
  '99': '기타',
};

/** Why this kind of member may not apply; null when it may. */
export function refusalFor(screen: CertificateScreen, kind: MemberKind): string | null {
  if (screen.who === 'business' && kind === 'individual') {
    return '사업자만 신청할 수 있습니다.';
  }
  if (screen.who === 'person' && kind === 'corporation') {
    return '종합소득세 신고자(개인)만 신청할 수 있습니다.';
  }
  return null;
}
