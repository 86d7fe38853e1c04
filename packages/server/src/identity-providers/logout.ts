import { invalidValue, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { ProviderClient } from './provider-client.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** The library's codes where the provider's keys could not be read; everything else of its own is about the token. */
const KEYS_UNREAD: readonly string[] = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];
/** A provider sends it at once, and may try again. */
const MAX_AGE = '5 minutes';

/**
 * The provider says that a person has logged out there (OpenID Connect Back-Channel Logout). Answers how many
 * sessions ended.
 * @throws ServiceError 400 when the token is not the provider's, for us, and new; AUTH_PROVIDER_UNAVAILABLE
 */
export async function logOutByProvider(
  { vouchedSessions }: Pick<Store, 'vouchedSessions'>,
  client: ProviderClient,
  logoutToken: string,
): Promise<number> {
  const { issuer, subject, providerSid } = await verified(client, logoutToken);
  return vouchedSessions.endOf({ issuer, subject, providerSid });
}

async function verified({ signer, provider }: ProviderClient, token: string) {
  const { errors, jwtVerify } = await import('jose');
  const { issuer, keyOf } = await signer();
  const isFault = (failure: unknown) =>
    failure instanceof errors.JOSEError && !KEYS_UNREAD.includes(failure.code);
  const payload = await jwtVerify(token, keyOf, {
    issuer,
    audience: provider.clientId,
    algorithms: ALGORITHMS,
    maxTokenAge: MAX_AGE,
    requiredClaims: ['iat', 'jti', 'events'],
  }).then(
    (result) => result.payload,
    (cause: unknown) => {
      // The provider tries again later only if it does not hear that its token was wrong.
      if (!isFault(cause)) throw new ServiceError('AUTH_PROVIDER_UNAVAILABLE', { cause });
      return null;
    },
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
