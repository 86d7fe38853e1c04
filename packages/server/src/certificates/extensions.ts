import type { AsnType } from 'asn1js';
import { bits, elements, isContextTag, objectId, octets, parseDer } from './der.ts';

const CERTIFICATE_POLICIES = '2.5.29.32';
const KEY_USAGE = '2.5.29.15';
const DIGITAL_SIGNATURE = 0x80;

/** The first certificate policy, which Node's X509Certificate does not expose. */
export function policyOf(certificateDer: Uint8Array): string | null {
  const policies = extension(certificateDer, CERTIFICATE_POLICIES);
  return policies ? objectId(elements(elements(policies)[0])[0]) : null;
}

/** Whether the key may sign, as it may where the certificate does not say. */
export function maySign(certificateDer: Uint8Array): boolean {
  const usage = extension(certificateDer, KEY_USAGE);
  return usage === null || ((bits(usage)[0] ?? 0) & DIGITAL_SIGNATURE) !== 0;
}

function extension(certificateDer: Uint8Array, id: string): AsnType | null {
  const [tbsCertificate] = elements(parseDer(certificateDer));
  const extensions = elements(tbsCertificate).find((node) => isContextTag(node, 3));
  if (!extensions) return null;
  for (const one of elements(elements(extensions)[0])) {
    const parts = elements(one);
    if (objectId(parts[0]) === id) return parseDer(octets(parts.at(-1)));
  }
  return null;
}
