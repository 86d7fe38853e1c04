import { createHmac, hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a session cookie. New at every login, so that none can be planted. */
export function newSessionSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function isSessionSecret(text: string): boolean {
  return SECRET.test(text);
}

/** The stored form. Its 256 random bits need no slow hash. */
export function hashSessionSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Only the holder of the session can know it, and it reveals nothing about the session's secret. */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}
