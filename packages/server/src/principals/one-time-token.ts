import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The secret of a one-time link, and the form in which it is stored. */
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
  return hash('sha256', token);
}

/** Unknown addresses are not stored as typed, because the input may have been a password. */
export function hashEmail(email: string): string {
  return hash('sha256', email);
}
