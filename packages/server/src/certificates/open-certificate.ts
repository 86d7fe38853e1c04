import type { X509Certificate } from 'node:crypto';
import { CertificateError, malformed } from './certificate-error.ts';
import { toDer } from './der.ts';
import { policyOf } from './extensions.ts';
import { type KeyPair, openPkcs12 } from './pkcs12/open-pkcs12.ts';
import { openPrivateKey } from './private-key.ts';
import { readCertificate } from './read-certificate.ts';

/** What a customer has of a certificate: two files, or one that holds both. */
export type CertificateFiles =
  | {
      /** The certificate: DER, base64 or PEM. */
      readonly certificate: Uint8Array;
      /** The encrypted PKCS#8 private key: DER, base64 or PEM. */
      readonly encryptedKey: Uint8Array;
    }
  | {
      /** PKCS#12: DER, base64 or PEM. */
      readonly pkcs12: Uint8Array;
    };

export type CertificateUpload = CertificateFiles & {
  /** Used once and never stored. */
  readonly password: string;
};

export interface OpenedCertificate {
  readonly certificateDer: Uint8Array;
  /** PKCS#8 DER, no longer encrypted. */
  readonly privateKeyDer: Uint8Array;
  /** The 20 bytes R of the virtual id, if the key carries them. */
  readonly randomVid: Uint8Array | null;
  readonly subjectCn: string;
  /** RFC 4514 text, like the issuer. */
  readonly subject: string;
  readonly issuer: string;
  /** Hex, upper case. */
  readonly serial: string;
  /** Real milliseconds. */
  readonly notAfter: number;
  readonly policyOid: string | null;
}

/**
 * Opens a joint certificate with its key and password. `now` is real time in milliseconds:
 * validity never follows the test clock.
 *
 * @throws CertificateError
 */
export async function openCertificate(
  upload: CertificateUpload,
  now: number,
): Promise<OpenedCertificate> {
  const { certificateDer, privateKey, randomVid } = await openFiles(upload);
  const certificate = readCertificate(certificateDer);
  const policyOid = policyOf(certificateDer);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CertificateError('KEY_MISMATCH', 'the key does not belong to the certificate');
  }
  assertInForce(certificate, now);
  return {
    certificateDer,
    privateKeyDer: privateKey.export({ format: 'der', type: 'pkcs8' }),
    randomVid,
    subjectCn: commonName(certificate),
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    serial: certificate.serialNumber,
    notAfter: certificate.validToDate.getTime(),
    policyOid,
  };
}

async function openFiles(upload: CertificateUpload): Promise<KeyPair> {
  if ('pkcs12' in upload) return openPkcs12(toDer(upload.pkcs12), upload.password);
  const certificateDer = toDer(upload.certificate);
  readCertificate(certificateDer);
  return { certificateDer, ...(await openPrivateKey(toDer(upload.encryptedKey), upload.password)) };
}

function assertInForce(certificate: X509Certificate, now: number): void {
  if (now < certificate.validFromDate.getTime()) {
    throw new CertificateError('NOT_YET_VALID', 'the certificate is not valid yet');
  }
  if (now > certificate.validToDate.getTime()) {
    throw new CertificateError('EXPIRED', 'the certificate has expired');
  }
}

/** Node prints one line for each part and escapes line breaks inside. */
function nameText(name: string): string {
  return name.split('\n').reverse().join(',');
}

/** The last CN of the subject, which is the most specific one. */
function commonName(certificate: X509Certificate): string {
  const name = certificate.toLegacyObject().subject.CN;
  const last = Array.isArray(name) ? name.at(-1) : name;
  if (!last) throw malformed("the certificate's subject");
  return last;
}
