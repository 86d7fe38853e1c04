import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** How many bytes sealing adds. */
export const SEAL_OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES;

/** Sealed bytes that do not open: changed, moved to another place, or sealed under another key. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** AES-256-GCM: version byte, 12 random nonce bytes, ciphertext, 16 tag bytes. */
export function sealBox(key: KeyObject, context: string, plaintext: Uint8Array): Buffer {
  const header = Buffer.concat([Uint8Array.of(VERSION), randomBytes(NONCE_BYTES)]);
  const cipher = createCipheriv(CIPHER, key, header.subarray(1), { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([header, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** @throws SealError */
export function openBox(key: KeyObject, context: string, sealed: Uint8Array): Buffer {
  if (sealed.length < SEAL_OVERHEAD_BYTES) throw new SealError('sealed value is too short');
  if (sealed[0] !== VERSION) throw new SealError('sealed value has an unknown version');

  const nonce = sealed.subarray(1, HEADER_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    throw new SealError('sealed value does not open here');
  }
}
