import { EncryptionError } from '../errors/local-errors.ts';
import { toBase64 } from './base64.ts';
import type { EncryptionKey, Encryptor } from './encryptor.ts';
import { cutIntoPieces, PIECES_PER_REQUEST } from './pieces.ts';

/** Plain values by field name; text is encrypted as UTF-8. */
export type Secrets = Readonly<Record<string, string | Uint8Array>>;

/**
 * Encrypts every value for `encrypted_fields`. Randomized: call it once per logical call and resend its result.
 * @throws EncryptionError when the values need more than 32 pieces together
 */
export async function encryptFields(
  encryptor: Encryptor,
  key: EncryptionKey,
  secrets: Secrets,
): Promise<Record<string, string>> {
  const fields: Record<string, string> = {};
  let count = 0;
  for (const [name, value] of Object.entries(secrets)) {
    const pieces = cutIntoPieces(bytesOf(name, value));
    count += pieces.length;
    if (count > PIECES_PER_REQUEST) {
      throw new EncryptionError(`The secrets need more than ${PIECES_PER_REQUEST} pieces.`);
    }
    fields[name] = toBase64(await encryptPieces(encryptor, key, pieces));
  }
  return fields;
}

const encoder = /* @__PURE__ */ new TextEncoder();

function bytesOf(name: string, value: unknown): Uint8Array {
  if (typeof value === 'string') return encoder.encode(value);
  if (value instanceof Uint8Array) return value;
  throw new EncryptionError(`${name} must be a string or bytes.`);
}

/** The reason of a failure is not passed on, because crypto libraries may quote the plain text. */
async function encryptPieces(encryptor: Encryptor, key: EncryptionKey, pieces: Uint8Array[]) {
  try {
    return await encryptor.encryptPieces(key, pieces);
  } catch {
    throw new EncryptionError('The value could not be encrypted with the key of the service.');
  }
}
