import { isLoopback } from '@changgu/contract';
import type { JWTVerifyGetKey } from 'jose';
import type { ClientAuth, Configuration, IDToken, TokenEndpointResponse } from 'openid-client';
import { HOUR_MS } from '../rules/durations.ts';
import type { Vouched } from '../rules/principals/vouched-login.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { ConfiguredProvider } from './configured-provider.ts';
import { isRefusal, type Library, loadOpenIdClient } from './openid-client.ts';

/** What makes an answer one to this very request. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Kept, sealed, as long as the session lives. */
export interface ProviderTokens {
  readonly subject: string;
  readonly idToken: string | null;
  readonly refreshToken: string | null;
  readonly accessToken: string;
  /** Real time in milliseconds. */
  readonly accessExpiresAt: number;
}

export interface VouchedLogin extends Vouched {
  readonly issuer: string;
  readonly name: string | null;
  /** The session at the provider, where it names one. */
  readonly providerSid: string | null;
  readonly tokens: ProviderTokens;
}

/** Does the provider still vouch for the person? */
export type Recheck =
  | { readonly verdict: 'vouched'; readonly tokens: ProviderTokens }
  | { readonly verdict: 'refused' }
  /** It could not be asked. */
  | { readonly verdict: 'unknown' };

/** One identity provider, as its client sees it. */
export interface ProviderClient {
  readonly provider: ConfiguredProvider;
  begin(): Promise<{ readonly location: string; readonly secrets: AttemptSecrets }>;
  /** @throws ServiceError AUTH_PROVIDER_REFUSED when the answer does not hold, AUTH_PROVIDER_UNAVAILABLE */
  finish(query: string, secrets: AttemptSecrets): Promise<VouchedLogin>;
  recheck(tokens: ProviderTokens): Promise<Recheck>;
  /** Where a browser logs out there; null when the provider has no such place. */
  logoutAddress(idToken: string | null): Promise<string | null>;
  /** Whose keys sign what it sends. Asked for once, and again for an unknown key at most every half minute. */
  signer(): Promise<Signer>;
}

export interface Signer {
  readonly issuer: string;
  readonly keyOf: JWTVerifyGetKey;
}

export interface ClientOptions {
  readonly redirectUri: () => string;
  readonly afterLogout: () => string;
  readonly realNow: () => number;
}

/** What a provider has said about itself is believed for so long. */
const METADATA_MS = HOUR_MS;
const TIMEOUT_SECONDS = 10;

export function createProviderClient(
  provider: ConfiguredProvider,
  options: ClientOptions,
): ProviderClient {
  const open = createOpening(provider);

  return {
    provider,

    begin: async () => beginAt(await open(), provider, options),

    async finish(query, { state, nonce, verifier }) {
      const { library, config } = await open();
      const answer = new URL(options.redirectUri());
      answer.search = query;
      try {
        const tokens = await library.authorizationCodeGrant(config, answer, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        return await loginOf({ library, config }, tokens, options);
      } catch (cause) {
        throw new ServiceError('AUTH_PROVIDER_REFUSED', { cause, message: FAILED });
      }
    },

    async recheck(tokens) {
      try {
        return await recheck(await open(), tokens, options);
      } catch (failure) {
        return { verdict: isRefusal(failure) ? 'refused' : 'unknown' };
      }
    },

    async logoutAddress(idToken) {
      const { library, config } = await open();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      return library.buildEndSessionUrl(config, {
        post_logout_redirect_uri: options.afterLogout(),
        ...(idToken === null ? {} : { id_token_hint: idToken }),
      }).href;
    },

    async signer() {
      const opened = await open();
      opened.signer ??= signerOf(opened);
      return opened.signer;
    },
  };
}

async function beginAt(
  { library, config }: Opened,
  { scopes }: ConfiguredProvider,
  { redirectUri }: ClientOptions,
) {
  const secrets = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
  };
  const location = library.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(),
    scope: scopes.join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
  });
  return { location: location.href, secrets };
}

interface Opened {
  readonly library: Library;
  readonly config: Configuration;
  /** Opened with the first use. */
  signer?: Promise<Signer>;
}

async function signerOf({ config }: Opened): Promise<Signer> {
  const { createRemoteJWKSet } = await import('jose');
  const { issuer, jwks_uri: jwksUri } = config.serverMetadata();
  if (jwksUri === undefined) throw new Error(`${issuer} has no keys`);
  return { issuer, keyOf: createRemoteJWKSet(new URL(jwksUri)) };
}

function createOpening(provider: ConfiguredProvider) {
  let opened: Promise<Opened> | undefined;
  let openedAt = 0;
  return (): Promise<Opened> => {
    if (opened !== undefined && performance.now() - openedAt < METADATA_MS) return opened;
    openedAt = performance.now();
    const opening = discover(provider);
    opened = opening;
    opening.catch(() => {
      // The next login asks again.
      opened = undefined;
    });
    return opening;
  };
}

/** @throws ServiceError AUTH_PROVIDER_UNAVAILABLE */
async function discover(provider: ConfiguredProvider): Promise<Opened> {
  const library = await loadOpenIdClient();
  const issuer = new URL(provider.issuer);
  const execute = [library.enableNonRepudiationChecks];
  if (isLoopback(issuer.hostname)) execute.push(library.allowInsecureRequests);
  const options = { execute, timeout: TIMEOUT_SECONDS };
  try {
    const auth = authentication(library, provider);
    return {
      library,
      config: await library.discovery(issuer, provider.clientId, {}, auth, options),
    };
  } catch (cause) {
    throw new ServiceError('AUTH_PROVIDER_UNAVAILABLE', { cause });
  }
}

/** As the provider takes it: by header unless it says otherwise. */
function authentication(library: Library, { clientSecret }: ConfiguredProvider): ClientAuth {
  if (clientSecret === null) return library.None();
  const byHeader = library.ClientSecretBasic(clientSecret);
  const inBody = library.ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_basic') ? byHeader : inBody;
    return method(server, ...rest);
  };
}

type Granted = TokenEndpointResponse & {
  claims(): IDToken | undefined;
  expiresIn(): number | undefined;
};

async function loginOf(
  { library, config }: Opened,
  granted: Granted,
  { realNow }: ClientOptions,
): Promise<VouchedLogin> {
  const token = granted.claims();
  if (token === undefined) throw new Error('there is no ID token');
  const { sub: subject, iss: issuer, amr, acr, sid } = token;
  // Many providers say in the ID token only who it is, and more to who asks with the access token.
  const about =
    token.email === undefined
      ? await library.fetchUserInfo(config, granted.access_token, subject)
      : token;
  return {
    issuer,
    email: textOf(about.email),
    emailVerified: about.email_verified === true,
    name: textOf(about.name),
    providerSid: textOf(sid),
    amr: Array.isArray(amr) ? amr.filter((each) => typeof each === 'string') : [],
    acr: textOf(acr),
    tokens: {
      subject,
      idToken: granted.id_token ?? null,
      refreshToken: granted.refresh_token ?? null,
      accessToken: granted.access_token,
      accessExpiresAt: expiryOf(granted, realNow()),
    },
  };
}

async function recheck(
  { library, config }: Opened,
  tokens: ProviderTokens,
  { realNow }: ClientOptions,
): Promise<Recheck> {
  const { refreshToken, accessToken, subject } = tokens;
  if (refreshToken === null) {
    if (tokens.accessExpiresAt <= realNow()) return { verdict: 'unknown' };
    await library.fetchUserInfo(config, accessToken, subject);
    return { verdict: 'vouched', tokens };
  }
  const granted = await library.refreshTokenGrant(config, refreshToken);
  const claims = granted.claims();
  if (claims !== undefined && claims.sub !== subject) return { verdict: 'refused' };
  return {
    verdict: 'vouched',
    tokens: {
      subject,
      idToken: granted.id_token ?? tokens.idToken,
      refreshToken: granted.refresh_token ?? refreshToken,
      accessToken: granted.access_token,
      accessExpiresAt: expiryOf(granted, realNow()),
    },
  };
}

function expiryOf(granted: Granted, now: number): number {
  return now + (granted.expiresIn() ?? 0) * 1_000;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

const FAILED = {
  ko: '로그인 제공자에서 로그인을 마치지 못했습니다.',
  en: 'The login at the identity provider did not succeed.',
};
