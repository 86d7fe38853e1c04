import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const NOBODY = '0'.repeat(64);

/** A new client secret, 43 base64url characters; shown once, only its hash is kept. */
export function generateClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** SHA-256 as 64 hex characters. A secret of 256 random bits needs no slow hash. */
export function hashClientSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time; null (no such client) costs the same and is false. */
export function verifyClientSecret(secret: string, hash: string | null): boolean {
  const expected = Buffer.from(hash ?? NOBODY, 'hex');
  const actual = Buffer.from(hashClientSecret(secret), 'hex');
  return timingSafeEqual(actual, expected) && hash !== null;
}
