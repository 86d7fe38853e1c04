import { createDecipheriv } from 'node:crypto';
import type { AsnType } from 'asn1js';
import { malformed, wrongPassword } from '../certificate-error.ts';
import { elements, objectId, octets, smallInteger } from '../der.ts';
import { decryptPkcs8 } from '../password-encryption.ts';
import { type KeyDerivation, PURPOSE, SHA1 } from './derive-key.ts';

const BLOCK_BYTES = 8;

interface Cipher {
  readonly keyBytes: number;
  readonly decrypt: (
    key: Buffer,
    iv: Buffer,
    ciphertext: Uint8Array,
  ) => Uint8Array | Promise<Uint8Array>;
}

/** The schemes of PKCS#12 itself, all of them with SHA-1 (RFC 7292, appendix C). */
const SCHEMES: ReadonlyMap<string, Cipher> = new Map([
  ['1.2.840.113549.1.12.1.3', { keyBytes: 24, decrypt: decryptTripleDes }],
  ['1.2.840.113549.1.12.1.5', { keyBytes: 16, decrypt: decryptRc2 }],
  ['1.2.840.113549.1.12.1.6', { keyBytes: 5, decrypt: decryptRc2 }],
]);

/**
 * Decrypts a part of a PKCS#12 file: by a scheme of its own, or by one that keys of PKCS#8 have too.
 * @throws CertificateError MALFORMED or WRONG_PASSWORD
 */
export async function decryptPart(
  algorithm: AsnType | undefined,
  ciphertext: Uint8Array,
  password: string,
  keys: KeyDerivation,
): Promise<Uint8Array> {
  const [id, parameters] = elements(algorithm);
  const scheme = SCHEMES.get(objectId(id));
  if (!scheme) {
    return decryptPkcs8(algorithm, ciphertext, password, (hashes) => keys.charge(hashes));
  }
  if (ciphertext.length === 0 || ciphertext.length % BLOCK_BYTES !== 0) throw malformed('the file');
  const [salt, count] = elements(parameters);
  const shared = { digest: SHA1, salt: octets(salt), iterations: smallInteger(count) };
  const key = await keys.derive({ ...shared, purpose: PURPOSE.key, bytes: scheme.keyBytes });
  const iv = await keys.derive({ ...shared, purpose: PURPOSE.vector, bytes: BLOCK_BYTES });
  return scheme.decrypt(key, iv, ciphertext);
}

function decryptTripleDes(key: Buffer, iv: Buffer, ciphertext: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('des-ede3-cbc', key, iv);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    throw wrongPassword();
  }
}

/** A library that few files need. */
async function decryptRc2(key: Buffer, iv: Buffer, ciphertext: Uint8Array): Promise<Uint8Array> {
  return (await import('./rc2.ts')).decryptRc2(key, iv, ciphertext);
}
