import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SECRET_BYTES = 32;
const HASH_OF_NO_SECRET = '0'.repeat(64);
/** Secret scanners recognize our secrets in repositories and logs by this prefix. */
const PREFIX = 'cgs_';
const API_KEY_PREFIX = 'cgk_';
const CHECKSUM_DIGITS = 7;

/**
 * A new client secret: the prefix, 43 base64url characters and a checksum that lets a scanner tell
 * a real secret from text that only looks like one. Shown once; only its hash is stored.
 */
export function generateClientSecret(): string {
  return generate(PREFIX);
}

/** A new x-api-key in the same form. */
export function generateApiKey(): string {
  return generate(API_KEY_PREFIX);
}

function generate(prefix: string): string {
  const random = randomBytes(SECRET_BYTES).toString('base64url');
  return `${prefix}${random}${checksum(random)}`;
}

/** False for a secret in this format with a wrong checksum; secrets from before the format pass. */
export function mayBeClientSecret(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return true;
  const body = secret.slice(PREFIX.length);
  return checksum(body.slice(0, -CHECKSUM_DIGITS)) === body.slice(-CHECKSUM_DIGITS);
}

function checksum(text: string): string {
  return crc32(text).toString(36).padStart(CHECKSUM_DIGITS, '0');
}

/** SHA-256 as 64 hex characters. A secret of 256 random bits needs no slow hash. */
export function hashClientSecret(secret: string): string {
  return digest('sha256', secret);
}

/** Compares in constant time. Null (no such client) takes the same time and is false. */
export function verifyClientSecret(secret: string, hash: string | null): boolean {
  // Compared as digits: a hash that Node gives as bytes takes three times as long.
  const expected = Buffer.from(hash ?? HASH_OF_NO_SECRET, 'latin1');
  const actual = Buffer.from(hashClientSecret(secret), 'latin1');
  return timingSafeEqual(actual, expected) && hash !== null;
}
