import { X509Certificate } from 'node:crypto';
import type { MagicEnding } from '../portal/magic.ts';
import { MAGIC_ENDINGS, magicEndingOf } from '../portal/magic.ts';
import { businessNumberEndingIn } from '../seed/business-number.ts';
import { seededRandom } from '../seed/random.ts';
import { CERTIFICATE_PASSWORD, POLICY_OID } from './certificate-requests.ts';
import { certificateFiles } from './generated/certificates.ts';

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

function magicMember(ending: MagicEnding): Member {
  return {
    ...memberOfLogin(`magic${ending}`),
    name: `시험상사${ending}`,
    businessNumber: businessNumberEndingIn(ending),
  };
}

/** A demo certificate with its encrypted PKCS#8 key. For development and tests only. */
export interface DemoCertificate {
  name: string;
  certificateDer: Buffer;
  encryptedKeyDer: Buffer;
  password: string;
  /** The 20 random bytes of the key (`random_enc`); null where the key file does not carry them. */
  randomVid: Buffer | null;
  policyOid: string;
  businessNumber: string | null;
  kind: MemberKind;
}

function certificate(name: string, member: Member): DemoCertificate {
  const files = certificateFiles[name];
  if (!files) throw new Error(`no demo certificate ${name}`);
  return {
    name,
    certificateDer: Buffer.from(files.certificateDer, 'base64'),
    encryptedKeyDer: Buffer.from(files.encryptedKeyDer, 'base64'),
    password: CERTIFICATE_PASSWORD,
    randomVid: files.randomVid === null ? null : Buffer.from(files.randomVid, 'base64'),
    policyOid: member.kind === 'individual' ? POLICY_OID.person : POLICY_OID.enterprise,
    businessNumber: member.businessNumber,
    kind: member.kind,
  };
}

const magicMembers = new Map(MAGIC_ENDINGS.map((ending) => [ending, magicMember(ending)]));

function magicCertificate(ending: MagicEnding): DemoCertificate {
  return certificate(`magic_${ending}`, magicMembers.get(ending) ?? magicMember(ending));
}

/**
 * Keys are PBES2 SEED-CBC (corporation, magic; agency: made by openssl alone), the Korean PBES1
 * (soleProprietor) and PBES2 AES-256 (the others). `expired` was the corporation's, `unregistered`
 * is of the demo CA but of no member, `untrusted` is of another CA.
 */
export const demoCertificates = {
  corporation: certificate('corporation', demoMembers.corporation),
  soleProprietor: certificate('sole_proprietor', demoMembers.soleProprietor),
  individual: certificate('individual', demoMembers.individual),
  agency: certificate('agency', demoMembers.agency),
  expired: certificate('expired', demoMembers.corporation),
  unregistered: certificate('unregistered', memberOfLogin('unregistered')),
  untrusted: certificate('untrusted', demoMembers.corporation),
  magic: {
    '0200': magicCertificate('0200'),
    '0401': magicCertificate('0401'),
    '0402': magicCertificate('0402'),
    '0409': magicCertificate('0409'),
    '0423': magicCertificate('0423'),
    '0440': magicCertificate('0440'),
    '0503': magicCertificate('0503'),
    '0504': magicCertificate('0504'),
    '0520': magicCertificate('0520'),
    '0999': magicCertificate('0999'),
  } satisfies Record<MagicEnding, DemoCertificate>,
};

export interface RegisteredCertificate {
  member: Member;
  randomVid: Buffer | null;
}

function registrations(): Map<string, RegisteredCertificate> {
  const entries: [DemoCertificate, Member][] = [
    [demoCertificates.corporation, demoMembers.corporation],
    [demoCertificates.soleProprietor, demoMembers.soleProprietor],
    [demoCertificates.individual, demoMembers.individual],
    [demoCertificates.agency, demoMembers.agency],
    [demoCertificates.expired, demoMembers.corporation],
  ];
  for (const [ending, member] of magicMembers)
    entries.push([demoCertificates.magic[ending], member]);
  return new Map(
    entries.map(([{ certificateDer, randomVid }, member]) => [
      new X509Certificate(certificateDer).fingerprint256,
      { member, randomVid },
    ]),
  );
}

let registered: Map<string, RegisteredCertificate> | null = null;

/** The member a certificate is registered to; null for one the portals do not know. */
export function memberOfCertificate(presented: X509Certificate): RegisteredCertificate | null {
  registered ??= registrations();
  return registered.get(presented.fingerprint256) ?? null;
}

/** Magic ending of a login: of the id, or of the certificate owner's number. */
export function magicOfMember(member: Member): MagicEnding | null {
  return magicEndingOf(ownerNumberOf(member)) ?? magicEndingOf(member.loginId);
}
