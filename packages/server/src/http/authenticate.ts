import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isAccessToken } from '../principals/access-tokens.ts';
import type { Origin } from '../rules/principals/actor.ts';
import type { Principal, Verifiers } from '../rules/principals/principal.ts';

/** The authentication method that a request uses, if any. */
type Credentials =
  | { readonly scheme: 'basic'; readonly clientId: string; readonly clientSecret: string }
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'x-api-key'; readonly key: string }
  | { readonly scheme: 'cookie'; readonly secret: string };

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const MAX_HEADER = 8_192;
const ANONYMOUS: Promise<null> = Promise.resolve(null);

/** The caller, or null when the credentials are missing, malformed or invalid, without saying which. */
export function authenticate(
  { headers, routeOptions }: Pick<FastifyRequest, 'headers' | 'routeOptions'>,
  sessionSecret: string | null,
  verifiers: Verifiers,
  origin: Origin,
): Promise<Principal | null> {
  const credentials = credentialsOf(headers, sessionSecret);
  switch (credentials?.scheme) {
    case 'basic':
      return verifiers.client(credentials.clientId, credentials.clientSecret, origin);
    case 'bearer':
      return isAccessToken(credentials.token)
        ? verifiers.accessToken(credentials.token, routeOptions.url)
        : verifiers.bearer(credentials.token);
    case 'x-api-key':
      return verifiers.legacyKey(credentials.key, origin);
    case 'cookie':
      return verifiers.cookie(credentials.secret);
    default:
      return ANONYMOUS;
  }
}

/** Whether the request has any credentials of a program, valid or not. */
export function hasCredentials({ authorization, 'x-api-key': key }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || key !== undefined;
}

/** What a program sends deliberately takes precedence over what a browser sends by itself. */
function credentialsOf(
  headers: IncomingHttpHeaders,
  sessionSecret: string | null,
): Credentials | null {
  const { authorization } = headers;
  if (authorization !== undefined) return authorizationOf(authorization);
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return { scheme: 'x-api-key', key };
  return sessionSecret === null ? null : { scheme: 'cookie', secret: sessionSecret };
}

function authorizationOf(header: string): Credentials | null {
  if (header.length > MAX_HEADER) return null;
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return { scheme: 'bearer', token };
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 1) return null;
  return { scheme: 'basic', clientId: pair.slice(0, colon), clientSecret: pair.slice(colon + 1) };
}
