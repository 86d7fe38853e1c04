import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** Sealed with its owner's first key. */
const FIRST_KEY = 1;
/** Four bytes name the owner's key that sealed it. */
const NUMBERED_KEY = 2;
const GENERATION_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** How many bytes sealing with a first key adds. */
export const SEAL_OVERHEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Sealed bytes that do not open: modified, moved to another place, or sealed with another key. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** AES-256-GCM: version byte, key number unless 0, 12 random nonce bytes, ciphertext, 16 tag bytes. */
export function sealBox(
  key: KeyObject,
  context: string,
  plaintext: Uint8Array,
  generation = 0,
): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([
    markOf(generation),
    nonce,
    cipher.update(plaintext),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function markOf(generation: number): Buffer {
  if (generation === 0) return Buffer.of(FIRST_KEY);
  const mark = Buffer.alloc(1 + GENERATION_BYTES, NUMBERED_KEY);
  mark.writeUInt32BE(generation, 1);
  return mark;
}

/** The number of the owner's key that sealed something; 0 is the first. @throws SealError */
export function generationOf(sealed: Uint8Array): number {
  if (sealed.length < markLength(sealed) + NONCE_BYTES + TAG_BYTES) {
    throw new SealError('sealed value is too short');
  }
  if (sealed[0] === FIRST_KEY) return 0;
  if (sealed[0] !== NUMBERED_KEY) throw new SealError('sealed value has an unknown version');
  return new DataView(sealed.buffer, sealed.byteOffset).getUint32(1);
}

/** @throws SealError */
export function openBox(key: KeyObject, context: string, sealed: Uint8Array): Buffer {
  generationOf(sealed);
  const start = markLength(sealed);
  const nonce = sealed.subarray(start, start + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const ciphertext = sealed.subarray(start + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    throw new SealError('sealed value does not open here');
  }
}

function markLength(sealed: Uint8Array): number {
  return sealed[0] === NUMBERED_KEY ? 1 + GENERATION_BYTES : 1;
}
