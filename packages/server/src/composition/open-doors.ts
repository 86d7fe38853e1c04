import type { ServerConfig } from '../config/server-config.ts';
import type { HttpApp } from '../http/app.ts';
import { createSessionCookies, type SessionCookies } from '../http/session-cookies.ts';
import { createVerifiers } from '../principals/verifiers.ts';
import type { Verifiers } from '../rules/principals/principal.ts';
import type { ProviderParts } from './start-identity-providers.ts';
import type { OAuthNeeds, OAuthParts } from './start-oauth.ts';

/** The ways in: how callers prove who they are. */
export interface Doors {
  readonly cookies: SessionCookies;
  readonly verifiers: Verifiers;
  /** Null where it is off. */
  readonly oauth: OAuthParts | null;
  /** Null where none is configured. */
  readonly providers: ProviderParts | null;
  /** Where a session logs out at its identity provider too; null without one. */
  readonly logoutAddress: (sessionId: string) => Promise<string | null>;
}

/** @throws ConfigError when OAuth is on and its library is not installed */
export async function openDoors(config: ServerConfig, needs: OAuthNeeds): Promise<Doors> {
  const { core } = needs;
  const oauth = config.oauth === 'on' ? await loadOAuth(config, needs) : null;
  const providers = config.identityProviders.length > 0 ? await loadProviders(config, needs) : null;
  return {
    oauth,
    providers,
    logoutAddress: providers?.logoutAddress ?? (async () => null),
    cookies: createSessionCookies(config.publicBaseUrl),
    verifiers: createVerifiers(core.store, core.tokens, oauth?.accessToken),
  };
}

/** The pages of the ways in, beside the operations of the contract. */
export async function addDoorRoutes(app: HttpApp, doors: Doors): Promise<void> {
  await doors.oauth?.addRoutes(app, doors);
  doors.providers?.addRoutes(app, doors);
}

/** Nothing of OAuth is loaded where it is off. */
async function loadOAuth(config: ServerConfig, needs: OAuthNeeds): Promise<OAuthParts> {
  const { startOAuth } = await import('./start-oauth.ts');
  return startOAuth(config, needs);
}

async function loadProviders(
  config: ServerConfig,
  { core, publicBaseUrl }: OAuthNeeds,
): Promise<ProviderParts> {
  const { startIdentityProviders } = await import('./start-identity-providers.ts');
  return startIdentityProviders(config, core, publicBaseUrl);
}
