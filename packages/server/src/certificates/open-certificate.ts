import { X509Certificate } from 'node:crypto';
import { CertificateError, malformed } from './certificate-error.ts';
import { type CertificateKind, certificateKind } from './certificate-policy.ts';
import { elements, isContextTag, objectId, octets, parseDer, toDer } from './der.ts';
import { openPrivateKey } from './private-key.ts';

const CERTIFICATE_POLICIES = '2.5.29.32';

export interface CertificateUpload {
  /** The certificate: DER, base64 or PEM. */
  readonly certificate: Uint8Array;
  /** The encrypted PKCS#8 private key: DER, base64 or PEM. */
  readonly encryptedKey: Uint8Array;
  /** Used once and never stored (D64). */
  readonly password: string;
}

export interface OpenedCertificate {
  readonly certificateDer: Uint8Array;
  /** PKCS#8 DER, no longer encrypted. */
  readonly privateKeyDer: Uint8Array;
  /** The 20 bytes R of the virtual id, if the key carries them. */
  readonly randomVid: Uint8Array | null;
  readonly subjectCn: string;
  /** RFC 4514 text. */
  readonly issuer: string;
  /** Hex, upper case. */
  readonly serial: string;
  /** Real milliseconds. */
  readonly notAfter: number;
  readonly policyOid: string | null;
  readonly kind: CertificateKind;
}

/**
 * Opens a joint certificate with its key and password (D99). `now` is real time in milliseconds:
 * validity never follows the test clock (D133).
 *
 * @throws CertificateError
 */
export async function openCertificate(
  upload: CertificateUpload,
  now: number,
): Promise<OpenedCertificate> {
  const certificateDer = toDer(upload.certificate);
  const certificate = parseCertificate(certificateDer);
  const policyOid = findPolicyOid(certificateDer);
  const { privateKey, randomVid } = await openPrivateKey(
    toDer(upload.encryptedKey),
    upload.password,
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CertificateError('KEY_MISMATCH', 'the key does not belong to the certificate');
  }
  assertInForce(certificate, now);
  return {
    certificateDer,
    privateKeyDer: privateKey.export({ format: 'der', type: 'pkcs8' }),
    randomVid,
    subjectCn: commonName(certificate),
    issuer: certificate.issuer.split('\n').reverse().join(','),
    serial: certificate.serialNumber,
    notAfter: certificate.validToDate.getTime(),
    policyOid,
    kind: certificateKind(policyOid),
  };
}

function parseCertificate(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw malformed('the certificate');
  }
}

function assertInForce(certificate: X509Certificate, now: number): void {
  if (now < certificate.validFromDate.getTime()) {
    throw new CertificateError('NOT_YET_VALID', 'the certificate is not valid yet');
  }
  if (now > certificate.validToDate.getTime()) {
    throw new CertificateError('EXPIRED', 'the certificate has expired');
  }
}

/** The last CN of the subject, which is the most specific one. */
function commonName(certificate: X509Certificate): string {
  const name = certificate.toLegacyObject().subject.CN;
  const last = Array.isArray(name) ? name.at(-1) : name;
  if (!last) throw malformed("the certificate's subject");
  return last;
}

/** The first certificate policy, which Node's X509Certificate does not expose. */
function findPolicyOid(der: Uint8Array): string | null {
  const [tbsCertificate] = elements(parseDer(der));
  const extensions = elements(tbsCertificate).find((node) => isContextTag(node, 3));
  if (!extensions) return null;
  for (const extension of elements(elements(extensions)[0])) {
    const parts = elements(extension);
    if (objectId(parts[0]) !== CERTIFICATE_POLICIES) continue;
    const [first] = elements(parseDer(octets(parts.at(-1))));
    return objectId(elements(first)[0]);
  }
  return null;
}
