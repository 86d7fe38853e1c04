import type { ServerConfig } from '../config/server-config.ts';
import type { CoreDependencies } from '../core.ts';
import { serverSecretsOf } from '../crypto/master-keys/master-key.ts';
import type { HttpApp } from '../http/app.ts';
import { createAttemptCookie } from '../http/identity-providers/attempt-cookie.ts';
import {
  type ProviderRouteDependencies,
  providerRoutes,
} from '../http/identity-providers/provider-routes.ts';
import { providerLogoutAddress } from '../identity-providers/logout.ts';
import { createProviderClient } from '../identity-providers/provider-client.ts';
import { recheckVouchedSessions } from '../identity-providers/recheck.ts';
import { createProviderSignIn } from '../identity-providers/sign-in.ts';
import { openTokens } from '../identity-providers/vouched-session.ts';

/** Logins at identity providers, where any is configured. */
export interface ProviderParts {
  addRoutes(app: HttpApp, doors: Pick<ProviderRouteDependencies, 'cookies' | 'verifiers'>): void;
  /** Where a session logs out at its provider too. */
  logoutAddress(sessionId: string): Promise<string | null>;
  /** Asks the providers whether they still vouch for those who are logged in. */
  recheck(stop?: AbortSignal): Promise<void>;
}

export function startIdentityProviders(
  { identityProviders, publicBaseUrl: configuredUrl, settings }: ServerConfig,
  core: CoreDependencies,
  publicBaseUrl: () => string,
): ProviderParts {
  const { store, vault, clock, masterKeys } = core;
  const addressOf = (path: string) => `${publicBaseUrl().replace(/\/+$/, '')}${path}`;
  const clients = new Map(
    identityProviders.map((provider) => [
      provider.name,
      createProviderClient(provider, {
        redirectUri: () => addressOf(`/v1/auth/providers/${provider.name}/callback`),
        afterLogout: () => addressOf('/console'),
        realNow: clock.realNow,
      }),
    ]),
  );
  const attemptSecrets = () => serverSecretsOf(masterKeys);
  const passkeys = { store, vault, clock, publicBaseUrl, attemptSecrets };
  const signIn = createProviderSignIn({
    store,
    vault,
    clock,
    passkeys,
    clients,
    registration: settings.registration,
  });
  const idTokenOf = async (sessionId: string, sealed: Uint8Array) =>
    (await openTokens(vault, sessionId, sealed)).idToken;
  return {
    addRoutes(app, doors) {
      const attemptCookie = createAttemptCookie(configuredUrl);
      providerRoutes(app, { ...doors, store, signIn, clients, attemptCookie });
    },
    logoutAddress: (sessionId) => providerLogoutAddress({ store, idTokenOf, clients }, sessionId),
    recheck: (stop) => recheckVouchedSessions({ store, vault, clients }, stop),
  };
}
