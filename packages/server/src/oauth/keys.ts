import { hkdfSync } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import type { RingKey } from '../crypto/key-ring.ts';

export interface ProviderKeys {
  readonly jwks: { readonly keys: JWK[] };
  /** The current key first, then those that still open older cookies. */
  readonly cookieKeys: string[];
}

/** The authorization server's signing keys, from their ring. */
export function providerKeys(ring: readonly RingKey[]): ProviderKeys {
  const keys = ring.map(({ kid, privateKey }) => ({
    ...privateKey.export({ format: 'jwk' }),
    kid,
    use: 'sig',
    alg: 'Ed25519',
  }));
  return {
    jwks: { keys: keys.map((key) => ({ ...key, kty: 'OKP' })) },
    cookieKeys: keys.map(({ d }) =>
      Buffer.from(
        hkdfSync('sha256', Buffer.from(d ?? '', 'base64url'), '', 'oauth cookies', 32),
      ).toString('base64url'),
    ),
  };
}
