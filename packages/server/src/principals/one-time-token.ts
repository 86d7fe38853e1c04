import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** What a one-time link carries, and how it is kept. */
export interface OneTimeToken {
  readonly token: string;
  readonly tokenHash: string;
}

export function newOneTimeToken(): OneTimeToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hashOneTimeToken(token) };
}

/** Its 256 random bits need no slow hash. */
export function hashOneTimeToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Unknown addresses are not kept as they were typed: it may have been a password. */
export function hashEmail(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}
