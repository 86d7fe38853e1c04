import { createHash } from 'node:crypto';

/** How a code, a token or an interaction is known to the database, which never holds what the client holds. */
export function artifactHash(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
