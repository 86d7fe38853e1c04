import { EncryptionError } from '../errors/local-errors.ts';
import { definedOnly } from './defined-only.ts';

/** Characters of base64 for the 512 bytes of one RSA-4096 piece; every further piece adds 512 bytes. */
const PIECE_BYTES = 512;

/**
 * Returns encrypted values after checking that they are: a plain value would be sent as it is.
 * @param secrets plain values, none of which may also be given encrypted
 * @throws EncryptionError that names the field but never the value
 */
export function checkCiphertexts<Name extends string>(
  secrets: object,
  encrypted: { readonly [N in Name]?: string | undefined },
): Record<string, string> {
  const given = definedOnly<string>(encrypted);
  for (const [name, value] of Object.entries(given)) {
    if (Reflect.get(secrets, name) !== undefined) {
      throw new EncryptionError(`${name} is given both plain and encrypted.`);
    }
    if (!isCiphertext(value)) {
      throw new EncryptionError(`${name} is not encrypted. Pass plain values as secrets.`);
    }
  }
  return given;
}

/** Whole pieces in standard base64. */
function isCiphertext(value: unknown): boolean {
  if (typeof value !== 'string' || value.length % 4 !== 0) return false;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const padding = value.length - value.replace(/=+$/, '').length;
  return ((value.length / 4) * 3 - padding) % PIECE_BYTES === 0;
}
