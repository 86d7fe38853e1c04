import type { MagicEnding } from '../portal/magic.ts';
import { magicEndingOf } from '../portal/magic.ts';
import { businessNumberEndingIn } from '../seed/business-number.ts';
import { seededRandom } from '../seed/random.ts';

export type MemberKind = 'corporation' | 'sole_proprietor' | 'individual';

/** A person or company known to the portals. Invented; the business numbers are of no tax office. */
export interface Member {
  kind: MemberKind;
  name: string;
  representative: string;
  /** Ten digits; null for a person without a business. */
  businessNumber: string | null;
  /** YYMMDD; null for a corporation. */
  birthDate: string | null;
  /** Number of an agency that acts for other workplaces at the employment portal. */
  agencyNumber: string | null;
  /** The same at every portal. */
  loginId: string;
  loginPassword: string;
}

/** Password of every login id that is not of a demo member. */
export const UNLISTED_LOGIN_PASSWORD = 'demo1234!';

export const demoMembers = {
  corporation: {
    kind: 'corporation',
    name: '주식회사 창구데모',
    representative: '이창구',
    businessNumber: businessNumberEndingIn('1001'),
    birthDate: null,
    agencyNumber: null,
    loginId: 'changgudemo',
    loginPassword: 'changgu-demo-1',
  },
  soleProprietor: {
    kind: 'sole_proprietor',
    name: '길동상회',
    representative: '홍길동',
    businessNumber: businessNumberEndingIn('2002', '12'),
    birthDate: '800101',
    agencyNumber: null,
    loginId: 'gildong',
    loginPassword: 'gildong-demo-2',
  },
  individual: {
    kind: 'individual',
    name: '김하늘',
    representative: '김하늘',
    businessNumber: null,
    birthDate: '900515',
    agencyNumber: null,
    loginId: 'haneul',
    loginPassword: 'haneul-demo-3',
  },
  agency: {
    kind: 'corporation',
    name: '한빛노무법인',
    representative: '박한빛',
    businessNumber: businessNumberEndingIn('3003', '86'),
    birthDate: null,
    agencyNumber: '30012345',
    loginId: 'hanbit',
    loginPassword: 'hanbit-demo-4',
  },
} as const satisfies Record<string, Member>;

/** The number by which an institution knows the owner of an account: business number or birth date. */
export function ownerNumberOf(member: Member): string {
  return member.businessNumber ?? member.birthDate ?? '';
}

const listed: readonly Member[] = Object.values(demoMembers);

const FAMILY = ['김', '이', '박', '최', '정', '강', '조', '윤'];
const GIVEN = ['민준', '서연', '도윤', '하은', '지호', '수아', '예준', '지우'];
const TRADE = ['한강', '무궁', '새벽', '가온', '다솜', '누리', '푸른', '온새'];
const FORM = ['상사', '산업', '유통', '테크', '물산'];

/** Any login id exists: one that is not a demo member's belongs to a company derived from it. */
export function memberOfLogin(loginId: string): Member {
  const known = listed.find((member) => member.loginId === loginId);
  if (known) return known;
  const random = seededRandom(`member:${loginId}`);
  return {
    kind: 'corporation',
    name: `주식회사 ${random.pick(TRADE)}${random.pick(FORM)}`,
    representative: random.pick(FAMILY) + random.pick(GIVEN),
    businessNumber: businessNumberEndingIn(`1${random.digits(3)}`, String(random.int(81, 88))),
    birthDate: null,
    agencyNumber: null,
    loginId,
    loginPassword: UNLISTED_LOGIN_PASSWORD,
  };
}

/** The company whose business number has this ending. */
export function magicMember(ending: MagicEnding): Member {
  return {
    ...memberOfLogin(`magic${ending}`),
    name: `시험상사${ending}`,
    businessNumber: businessNumberEndingIn(ending),
  };
}

/** Magic ending of a login: of the id, or of the certificate owner's number. */
export function magicOfMember(member: Member): MagicEnding | null {
  return magicEndingOf(ownerNumberOf(member)) ?? magicEndingOf(member.loginId);
}
