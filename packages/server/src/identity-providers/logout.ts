import { invalidValue } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { ProviderClient } from './provider-client.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** A provider sends it at once, and may try again. */
const MAX_AGE = '5 minutes';

/**
 * The provider says that a person has logged out there (OpenID Connect Back-Channel Logout). Answers how many
 * sessions ended.
 * @throws ServiceError 400 when the token is not the provider's, for us, and new
 */
export async function logOutByProvider(
  { vouchedSessions }: Pick<Store, 'vouchedSessions'>,
  client: ProviderClient,
  logoutToken: string,
): Promise<number> {
  const { issuer, subject, providerSid } = await verified(client, logoutToken);
  return vouchedSessions.endOf({ issuer, subject, providerSid });
}

async function verified({ metadata, provider }: ProviderClient, token: string) {
  const { createRemoteJWKSet, jwtVerify } = await import('jose');
  const { issuer, jwksUri } = await metadata();
  const payload = await jwtVerify(token, createRemoteJWKSet(new URL(jwksUri)), {
    issuer,
    audience: provider.clientId,
    algorithms: ALGORITHMS,
    maxTokenAge: MAX_AGE,
    requiredClaims: ['iat', 'jti', 'events'],
  }).then(
    (result) => result.payload,
    () => null,
  );
  const { sub: subject, sid, nonce, events } = payload ?? {};
  const isLogout = typeof events === 'object' && events !== null && EVENT in events;
  const providerSid = typeof sid === 'string' ? sid : null;
  // With a nonce it would be an ID token, which a browser could have brought.
  if (!isLogout || nonce !== undefined || (!subject && providerSid === null)) {
    throw invalidValue([{ loc: ['logout_token'], msg: 'Not a logout token', type: 'value_error' }]);
  }
  return { issuer, subject: subject || null, providerSid };
}

interface LogoutDependencies {
  readonly store: Pick<Store, 'vouchedSessions'>;
  readonly idTokenOf: (sessionId: string, tokens: Uint8Array) => Promise<string | null>;
  readonly clients: ReadonlyMap<string, ProviderClient>;
}

/** Where the browser of a session logs out at its provider too; null without one. Read before the session ends. */
export async function providerLogoutAddress(
  { store, idTokenOf, clients }: LogoutDependencies,
  sessionId: string,
): Promise<string | null> {
  const found = await store.vouchedSessions.find(sessionId);
  const client = found === null ? undefined : clients.get(found.provider);
  if (found === null || client === undefined) return null;
  const idToken = await idTokenOf(sessionId, found.tokens);
  // Logging out here must not depend on the provider.
  return client.logoutAddress(idToken).catch(() => null);
}
