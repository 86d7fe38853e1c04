import { X509Certificate } from 'node:crypto';
import { malformed } from './certificate-error.ts';

/** @throws CertificateError MALFORMED */
export function readCertificate(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw malformed('the certificate');
  }
}
