import { hash } from 'node:crypto';

/** The form in which the database stores a code, a token or an interaction: it never holds the client's value. */
export function artifactHash(value: string): string {
  return hash('sha256', value, 'base64url');
}
