import { type webcrypto as WebCrypto, webcrypto } from 'node:crypto';
import { ServiceError } from '../rules/service-error.ts';

/** RSA-OAEP as on the wire (Authentication 8): SHA-256 for hash and MGF1, no label, 4096 bits. */
export const RSA_OAEP = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;
export const RSA_BLOCK_BYTES = 512;
export const RSA_PIECE_BYTES = 446;

const STANDARD_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const SHORTEST_VALUE = 16;

/**
 * What a submission may report about an encrypted value; undefined when it is acceptable.
 * The alphabet is checked first, because Node's decoder skips anything that is not base64.
 */
export function checkEncryptedValue(value: string): 'alphabet' | 'too_short' | undefined {
  if (!STANDARD_BASE64.test(value)) return 'alphabet';
  return value.length < SHORTEST_VALUE ? 'too_short' : undefined;
}

/**
 * Decrypts the blocks of one value and joins them as bytes. The keys are tried in order on
 * the first block; the one that fits decrypts the rest. Every block is a task of the libuv
 * pool, so the event loop stays free.
 *
 * @throws ServiceError ENCRYPTED_FIELD_DECRYPT_FAILED for any failure
 */
export async function decryptFieldBytes(
  value: string,
  keys: readonly WebCrypto.CryptoKey[],
): Promise<Uint8Array> {
  const [first, ...rest] = blocksOf(value);
  if (first === undefined) throw decryptFailed();

  for (const key of keys) {
    const opened = await decryptBlock(first, key);
    if (opened === undefined) continue;
    const pieces = [opened];
    for (const block of rest) {
      const piece = await decryptBlock(block, key);
      if (piece === undefined) throw decryptFailed();
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
  throw decryptFailed();
}

/** Decodes decrypted bytes. A character may span two blocks, so only the joined bytes are text. */
export function fieldText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw decryptFailed();
  }
}

function blocksOf(value: string): Uint8Array[] {
  if (checkEncryptedValue(value) !== undefined) return [];
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length % RSA_BLOCK_BYTES !== 0) return [];
  return Array.from({ length: bytes.length / RSA_BLOCK_BYTES }, (_, index) =>
    bytes.subarray(index * RSA_BLOCK_BYTES, (index + 1) * RSA_BLOCK_BYTES),
  );
}

async function decryptBlock(
  block: Uint8Array,
  key: WebCrypto.CryptoKey,
): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await webcrypto.subtle.decrypt(RSA_OAEP, key, block));
  } catch {
    return undefined;
  }
}

// Without a cause, because OpenSSL's message about the padding would help an attacker.
function decryptFailed(): ServiceError {
  return new ServiceError('ENCRYPTED_FIELD_DECRYPT_FAILED');
}
