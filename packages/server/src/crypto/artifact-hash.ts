import { createHash } from 'node:crypto';

/** The form in which the database stores a code, a token or an interaction: it never holds the client's value. */
export function artifactHash(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
