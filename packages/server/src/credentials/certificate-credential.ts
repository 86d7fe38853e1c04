import { CertificateError, type CertificateFailure } from '../certificates/certificate-error.ts';
import type { CertificateUpload } from '../certificates/open-certificate.ts';
import { LAST_KST_MS } from '../rules/kst.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { CertificateFacts } from '../store/links/link-rows.ts';
import type { IdentityOf } from './identity.ts';
import type { StoredCredential } from './stored-credential.ts';

/** What the client knows of a certificate, for where the files do not tell. */
interface Told {
  /** R of the virtual id. */
  readonly randomVid: Uint8Array | null;
  readonly policyOid: string | null;
}

/** What registering a credential needs to know of it, whatever kind it is. */
export interface Presented {
  readonly identity: IdentityOf;
  /** By which older links of the same subject are stored, and perhaps some of others: compare the subjects. */
  readonly formerIdentity?: IdentityOf;
  readonly credential: StoredCredential;
  readonly certificate: CertificateFacts | null;
}

const TEXTS: Readonly<Record<CertificateFailure, { readonly ko: string; readonly en: string }>> = {
  MALFORMED: {
    ko: '인증서 또는 개인키의 형식이 올바르지 않습니다.',
    en: 'The certificate or its private key is malformed.',
  },
  WRONG_PASSWORD: {
    ko: '인증서 비밀번호가 올바르지 않습니다.',
    en: 'The certificate password is wrong.',
  },
  KEY_MISMATCH: {
    ko: '개인키가 인증서와 일치하지 않습니다.',
    en: 'The private key does not belong to the certificate.',
  },
  EXPIRED: { ko: '유효기간이 지난 인증서입니다.', en: 'The certificate has expired.' },
  NOT_YET_VALID: {
    ko: '아직 유효기간이 시작되지 않은 인증서입니다.',
    en: 'The certificate is not valid yet.',
  },
};

/**
 * Opens a certificate with its password, which is then dropped. A renewed certificate has the same
 * issuer and the same whole subject, and so the same identity. The CN alone may be that of a namesake.
 * @param now real time in milliseconds
 * @throws ServiceError CREDENTIAL_INVALID
 */
export async function presentCertificate(
  upload: CertificateUpload,
  told: Told,
  now: number,
): Promise<Presented> {
  // Most requests never open one, and the reader of its format is large.
  const { openCertificate } = await import('../certificates/open-certificate.ts');
  const opened = await openCertificate(upload, now).catch((failure: unknown) => {
    if (!(failure instanceof CertificateError)) throw failure;
    throw new ServiceError('CREDENTIAL_INVALID', { message: TEXTS[failure.failure] });
  });
  const randomVid = opened.randomVid ?? told.randomVid;
  return {
    identity: { kind: 'certificate', parts: [opened.issuer, opened.subject] },
    formerIdentity: { kind: 'certificate', parts: [opened.issuer, opened.subjectCn] },
    credential: {
      type: 'certificate',
      certificate: Buffer.from(opened.certificateDer).toString('base64'),
      privateKey: Buffer.from(opened.privateKeyDer).toString('base64'),
      randomVid: randomVid && Buffer.from(randomVid).toString('base64'),
    },
    certificate: {
      subjectCn: opened.subjectCn,
      issuer: opened.issuer,
      serial: opened.serial,
      // The time that means no end is in the year 10000 in Korea.
      notAfter: Math.min(opened.notAfter, LAST_KST_MS),
      oid: opened.policyOid ?? told.policyOid,
    },
  };
}
