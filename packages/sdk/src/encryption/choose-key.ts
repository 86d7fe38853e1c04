import { EncryptionError } from '../errors/local-errors.ts';
import { fromBase64Url } from './base64.ts';
import type { EncryptionKey } from './encryptor.ts';

/** A JSON Web Key Set, the current key first. */
export interface EncryptionKeySet {
  readonly keys: readonly EncryptionKey[];
}

/**
 * The first key whose `use` is `enc`.
 * @throws EncryptionError when there is none, or when it is not exactly RSA-4096 for RSA-OAEP-256 with exponent 65537
 */
export function chooseKey({ keys }: EncryptionKeySet): EncryptionKey {
  const key = keys.find(({ use }) => use === 'enc');
  if (!key) throw new EncryptionError('The service lists no key for encryption.');
  if (key.kty !== 'RSA' || key.alg !== 'RSA-OAEP-256' || key.e !== 'AQAB') {
    throw new EncryptionError('The encryption key is not for RSA-OAEP-256 with exponent 65537.');
  }
  if (!hasBits4096(key.n)) throw new EncryptionError('The encryption key does not have 4096 bits.');
  return key;
}

function hasBits4096(modulus: string): boolean {
  const bytes = /^[\w-]+$/.test(modulus) ? fromBase64Url(modulus) : new Uint8Array();
  return bytes.length === 512 && (bytes[0] ?? 0) >= 0x80;
}
