import { MAGIC_ENDINGS } from '../portal/magic.ts';

/** What one demo certificate is made of; read by the script that makes the fixtures. */
export interface CertificateRequest {
  name: string;
  commonName: string;
  /** OU of the subject, as joint certificates name the registering institution. */
  unit: string;
  policyOid: string;
  encryption: 'openssl-seed' | 'pbes2-seed' | 'pbes2-aes' | 'pbes1-seed';
  password: string;
  expired?: boolean;
  untrusted?: boolean;
}

/** yessign policies: 1.1.5 enterprises, 1.1.1 persons. */
export const POLICY_OID = { enterprise: '1.2.410.200005.1.1.5', person: '1.2.410.200005.1.1.1' };
export const CERTIFICATE_PASSWORD = 'demo-cert-2026!';

function enterprise(
  name: string,
  commonName: string,
  encryption: CertificateRequest['encryption'],
  rest: Partial<CertificateRequest> = {},
): CertificateRequest {
  return {
    name,
    commonName,
    unit: 'business4demo',
    policyOid: POLICY_OID.enterprise,
    encryption,
    password: CERTIFICATE_PASSWORD,
    ...rest,
  };
}

export const certificateRequests: readonly CertificateRequest[] = [
  enterprise('corporation', '주식회사 창구데모()0001200620260101001', 'pbes2-seed'),
  enterprise('sole_proprietor', '길동상회(홍길동)0001234567890123', 'pbes1-seed'),
  {
    ...enterprise('individual', '김하늘()0001234567890124', 'pbes2-aes'),
    unit: 'personal4demo',
    policyOid: POLICY_OID.person,
  },
  enterprise('agency', '한빛노무법인()0001200620260101002', 'openssl-seed'),
  enterprise('expired', '주식회사 창구데모()0001200620220101001', 'pbes2-aes', { expired: true }),
  enterprise('unregistered', '미등록상사()0001200620260101003', 'pbes2-aes'),
  enterprise('untrusted', '주식회사 창구데모()0001200620260101004', 'pbes2-aes', {
    untrusted: true,
  }),
  ...MAGIC_ENDINGS.map((ending) =>
    enterprise(`magic_${ending}`, `시험상사${ending}()000120062026010${ending}`, 'pbes2-seed'),
  ),
];
