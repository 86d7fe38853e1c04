import * as openid from 'openid-client';
import { CliError } from '../cli-error.ts';
import type { Locations } from '../config/locations.ts';
import { holdingProfile } from '../credentials/profile-lock.ts';
import type { SecretStore, StoredSecrets } from '../credentials/secret-store.ts';
import { EXIT } from '../exit-codes.ts';
import { nowOf } from '../io.ts';
import {
  type Authorization,
  errorAnswer,
  explained,
  findAuthorization,
  type OAuthContext,
} from './authorization.ts';

export type TokenSecrets = Pick<
  StoredSecrets,
  'oauth_access_token' | 'oauth_access_token_expires_at' | 'oauth_refresh_token'
>;

/** A token that is about to expire would arrive too late. */
const MARGIN_MS = 60_000;

export function secretsOf(
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
  now: number,
): TokenSecrets {
  const seconds = tokens.expiresIn() ?? 0;
  return {
    oauth_access_token: tokens.access_token,
    oauth_access_token_expires_at: new Date(now + seconds * 1_000).toISOString(),
    ...(tokens.refresh_token === undefined ? {} : { oauth_refresh_token: tokens.refresh_token }),
  };
}

export interface TokenContext extends OAuthContext {
  readonly locations: Pick<Locations, 'secretsDir'>;
  readonly store: SecretStore;
  readonly profile: string;
}

/**
 * Returns the current token and renews it in time. Using a refresh token twice ends the login, so one process
 * renews at a time, and the others use what it has stored.
 */
export function currentToken(context: TokenContext, stored: StoredSecrets): () => Promise<string> {
  const now = () => nowOf(context.io);
  let secrets = stored;
  let renewal: Promise<StoredSecrets> | null = null;
  return async () => {
    if (!isFresh(secrets, now())) {
      renewal ??= renew(context, stored.base_url, now).finally(() => {
        renewal = null;
      });
      secrets = await renewal;
    }
    return secrets.oauth_access_token ?? '';
  };
}

function isFresh({ oauth_access_token_expires_at: until }: TokenSecrets, now: number): boolean {
  return until !== undefined && Date.parse(until) - MARGIN_MS > now;
}

async function renew(
  context: TokenContext,
  baseUrl: string,
  now: () => number,
): Promise<StoredSecrets> {
  const { profile, store } = context;
  return holdingProfile(context, profile, async () => {
    const stored = await store.read(profile);
    // Another process may have logged in at another service, which alone may have its token.
    if (stored === null || originOf(stored.base_url) !== originOf(baseUrl)) throw ended(context);
    if (isFresh(stored, now())) return stored;
    const refreshToken = stored.oauth_refresh_token;
    if (refreshToken === undefined) throw ended(context);
    const authorization = await findAuthorization(context, stored.base_url);
    const tokens = await refresh(context, authorization, refreshToken);
    const secrets = { ...stored, ...secretsOf(tokens, now()) };
    await store.write(profile, secrets);
    return secrets;
  });
}

function originOf(baseUrl: string): string | undefined {
  return URL.parse(baseUrl)?.origin;
}

async function refresh(
  context: TokenContext,
  { config, resource }: Authorization,
  refreshToken: string,
) {
  return explained(context, async () => {
    try {
      return await openid.refreshTokenGrant(config, refreshToken, { resource });
    } catch (error) {
      throw errorAnswer(error) === 'invalid_grant' ? ended(context) : error;
    }
  });
}

function ended({ texts }: TokenContext): CliError {
  return new CliError('NOT_LOGGED_IN', texts.webLogin.ended, EXIT.forbidden, [
    'changgu login --web',
  ]);
}

/** Ends a login at the service: its tokens become invalid at once. Does nothing for other kinds of logins. */
export async function revokeLogin(
  context: OAuthContext,
  { base_url: baseUrl, oauth_refresh_token: token }: StoredSecrets,
): Promise<void> {
  if (token === undefined) return;
  const { config } = await findAuthorization(context, baseUrl);
  await explained(context, () => openid.tokenRevocation(config, token));
}
