import { EncryptionError } from '../errors/local-errors.ts';
import type { EncryptionKey } from './encryptor.ts';

/** A JSON Web Key Set, the current key first. */
export interface EncryptionKeySet {
  readonly keys: readonly EncryptionKey[];
}

/**
 * The first key whose `use` is `enc`.
 * @throws EncryptionError when there is none, or when it is not exactly RSA-4096 for RSA-OAEP-256 with exponent 65537
 */
export function chooseKey(set: EncryptionKeySet): EncryptionKey {
  // It comes from the network: the compiler has not seen it.
  const keys: unknown = Object(set).keys;
  const key: EncryptionKey | undefined = Array.isArray(keys)
    ? keys.find((one) => Object(one).use === 'enc')
    : undefined;
  if (!key) throw new EncryptionError('The service lists no key for encryption.');
  if (key.kty !== 'RSA' || key.alg !== 'RSA-OAEP-256' || key.e !== 'AQAB') {
    throw new EncryptionError('The encryption key is not for RSA-OAEP-256 with exponent 65537.');
  }
  if (!hasBits4096(key.n)) throw new EncryptionError('The encryption key does not have 4096 bits.');
  return key;
}

/** 512 bytes in base64url, of which the first character contains the highest bit. */
function hasBits4096(modulus: string): boolean {
  return /^[g-z\d_-][\w-]{682}$/.test(modulus);
}
