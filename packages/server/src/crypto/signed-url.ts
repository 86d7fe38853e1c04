import { createHmac, type KeyObject } from 'node:crypto';
import { sameBytes } from './same-secret.ts';

/** The lifetime of a download URL. */
export const SIGNED_URL_SECONDS = 900;

const EXPIRY = /^[1-9][0-9]{0,11}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

export interface UrlSigningKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** The query of a signed download URL: `exp` in Unix seconds, `sig` as hex HMAC-SHA256. */
export interface UrlSignature {
  readonly exp: string;
  readonly sig: string;
}

export interface UrlSigner {
  /** `now` is business time in milliseconds. */
  sign(artifactId: string, now: number): UrlSignature;
  /** False for an invalid and for an expired signature alike, because both have the same error code. */
  verify(artifactId: string, query: UrlSignature, now: number): boolean;
}

/** Signs with the first key and accepts the others too, so that a rotation breaks no URL. */
export function createUrlSigner(
  keys: () => readonly [UrlSigningKey, ...UrlSigningKey[]],
): UrlSigner {
  return {
    sign(artifactId, now) {
      const exp = String(Math.floor(now / 1_000) + SIGNED_URL_SECONDS);
      return { exp, sig: hmac(keys()[0], artifactId, exp).toString('hex') };
    },
    verify(artifactId, { exp, sig }, now) {
      if (!SIGNATURE.test(sig) || !EXPIRY.test(exp)) return false;
      const given = Buffer.from(sig, 'hex');
      const signed = keys().some((key) => sameBytes(given, hmac(key, artifactId, exp)));
      return signed && now < Number(exp) * 1_000;
    },
  };
}

function hmac(key: UrlSigningKey, artifactId: string, exp: string): Buffer {
  return createHmac('sha256', key.secret)
    .update(JSON.stringify([artifactId, exp, key.id]))
    .digest();
}
