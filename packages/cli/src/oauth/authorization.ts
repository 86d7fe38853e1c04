import { ConnectionError } from '@changgu/sdk';
import * as openid from 'openid-client';
import { CliError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Texts } from '../texts/ko.ts';
import { oauthFetch } from './oauth-fetch.ts';

/** Every service with OAuth knows this program by this name. */
const CLIENT_ID = 'changgu-cli';

export interface OAuthContext {
  readonly io: Io;
  readonly texts: Texts;
}

/** Where a service issues tokens, and for what. */
export interface Authorization {
  readonly config: openid.Configuration;
  readonly resource: string;
}

/** The service's metadata about its tokens. @throws CliError NO_OAUTH when it issues none */
export async function findAuthorization(
  context: OAuthContext,
  baseUrl: string,
): Promise<Authorization> {
  return explained(context, async () => {
    const fetch = oauthFetch(context.io);
    const { resource, issuer } = await readResource(context, baseUrl, fetch);
    const config = await openid.discovery(issuer, CLIENT_ID, {}, openid.None(), {
      algorithm: 'oauth2',
      [openid.customFetch]: fetch,
      // The address was checked before: without TLS it is on this machine.
      execute: isPlain(baseUrl) ? [openid.allowInsecureRequests] : [],
    });
    return { config, resource };
  });
}

async function readResource(
  { texts: { webLogin } }: OAuthContext,
  baseUrl: string,
  fetch: openid.CustomFetch,
): Promise<{ readonly resource: string; readonly issuer: URL }> {
  const expected = `${baseUrl.replace(/\/+$/, '')}/v1`;
  const { origin, pathname } = new URL(expected);
  const address = `${origin}/.well-known/oauth-protected-resource${pathname}`;
  const answer = await fetch(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: null,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const metadata: ResourceMetadata = answer.ok ? Object(await answer.json().catch(() => null)) : {};
  const issuer = URL.parse(String([metadata.authorization_servers].flat()[0]));
  if (issuer === null) {
    throw new CliError('NO_OAUTH', webLogin.noOAuth(baseUrl), EXIT.failed, ['changgu login']);
  }
  const { resource } = metadata;
  if (resource !== expected) {
    const own = String(resource).replace(/\/v1$/, '');
    throw new CliError('OTHER_ADDRESS', webLogin.otherAddress(baseUrl, own), EXIT.usage);
  }
  return { resource, issuer };
}

interface ResourceMetadata {
  readonly resource?: unknown;
  readonly authorization_servers?: unknown;
}

function isPlain(address: string): boolean {
  return new URL(address).protocol === 'http:';
}

/** Explains a failure of the library, the service or the person in words. */
export async function explained<T>(context: OAuthContext, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw explain(error, context.texts);
  }
}

function explain(error: unknown, { webLogin }: Texts): unknown {
  const answer = errorAnswer(error);
  if (answer === 'access_denied') {
    return new CliError('ACCESS_DENIED', webLogin.denied, EXIT.forbidden);
  }
  if (answer === 'expired_token') {
    return new CliError('LOGIN_EXPIRED', webLogin.expired, EXIT.forbidden, ['changgu login --web']);
  }
  if (answer !== null) {
    return new CliError('OAUTH_FAILED', webLogin.failed(answer), EXIT.failed);
  }
  const cause: unknown = error instanceof Error ? error.cause : null;
  if (cause instanceof ConnectionError) return cause;
  if (error instanceof openid.ClientError) {
    return new CliError('OAUTH_FAILED', webLogin.failed(error.message), EXIT.failed);
  }
  return error;
}

/** The error code in the service's answer (RFC 6749, section 5.2). */
export function errorAnswer(error: unknown): string | null {
  const answered =
    error instanceof openid.ResponseBodyError || error instanceof openid.AuthorizationResponseError;
  return answered ? error.error : null;
}
