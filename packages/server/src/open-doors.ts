import type { ServerConfig } from './config/server-config.ts';
import { createSessionCookies, type SessionCookies } from './http/session-cookies.ts';
import { createVerifiers } from './principals/verifiers.ts';
import type { Verifiers } from './rules/principals/principal.ts';
import type { OAuthNeeds, OAuthParts } from './start-oauth.ts';

/** The ways in: how callers prove who they are. */
export interface Doors {
  readonly cookies: SessionCookies;
  readonly verifiers: Verifiers;
  /** Null where it is off. */
  readonly oauth: OAuthParts | null;
}

/** @throws ConfigError when OAuth is on and its library is not installed */
export async function openDoors(config: ServerConfig, needs: OAuthNeeds): Promise<Doors> {
  const { core } = needs;
  const oauth = config.oauth === 'on' ? await loadOAuth(config, needs) : null;
  return {
    oauth,
    cookies: createSessionCookies(config.publicBaseUrl),
    verifiers: createVerifiers(core.store, core.tokens, oauth?.accessToken),
  };
}

/** Nothing of OAuth is loaded where it is off. */
async function loadOAuth(config: ServerConfig, needs: OAuthNeeds): Promise<OAuthParts> {
  const { startOAuth } = await import('./start-oauth.ts');
  return startOAuth(config, needs);
}
