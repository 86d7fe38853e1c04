import type { ServerConfig } from '../config/server-config.ts';
import type { CoreDependencies } from '../core.ts';
import { serverSecretsOf } from '../crypto/master-keys/master-key.ts';
import { faultOf } from '../failures/fault.ts';
import type { HttpApp } from '../http/app.ts';
import type { TokenChallenge } from '../http/gate.ts';
import { authorizationServer } from '../http/oauth/authorization-server.ts';
import {
  type InteractionRouteDependencies,
  interactionRoutes,
} from '../http/oauth/interaction-routes.ts';
import { createRateLimiter } from '../http/rate-limit.ts';
import type { Logger } from '../logging/logger.ts';
import { bearerChallenge, DEFAULT_SCOPES, oauthAddresses, resourceAt } from '../oauth/addresses.ts';
import type { DocumentFetch } from '../oauth/client-documents.ts';
import { COMMAND_LINE_CLIENT } from '../oauth/command-line-client.ts';
import { createOAuthHost, type OAuthHost } from '../oauth/host.ts';
import { loadOidcProvider } from '../oauth/oidc-provider.ts';
import { createAccessTokens } from '../principals/access-tokens.ts';
import type { Verifiers } from '../rules/principals/principal.ts';

const REGISTRATIONS = { limit: 10, windowSeconds: 3_600 };

/** OAuth of one server, where it is on. */
export interface OAuthParts {
  readonly host: OAuthHost;
  readonly addRoutes: (
    app: HttpApp,
    doors: Pick<InteractionRouteDependencies, 'cookies' | 'verifiers'>,
  ) => Promise<void>;
  readonly accessToken: Verifiers['accessToken'];
  readonly challenge: TokenChallenge;
}

export interface OAuthNeeds {
  readonly core: CoreDependencies;
  readonly logger: Logger;
  readonly publicBaseUrl: () => string;
  readonly documents: DocumentFetch | undefined;
}

/** @throws ConfigError when the library is not installed: at the start, and not with the first request */
export async function startOAuth(
  config: ServerConfig,
  { core, logger, publicBaseUrl, documents }: OAuthNeeds,
): Promise<OAuthParts> {
  await loadOidcProvider();
  const addresses = () => oauthAddresses(publicBaseUrl());
  const commandLine = config.oauthCommandLine === 'on';
  const verify = createAccessTokens(core, commandLine ? [] : [COMMAND_LINE_CLIENT.client_id]);
  const host = createOAuthHost({
    store: core.store,
    vault: core.vault,
    ring: core.oauthRing,
    addresses,
    ...(documents ? { documents } : {}),
    realNow: core.clock.realNow,
    clientDocuments: config.oauthClientDocuments === 'on',
    registration: config.oauthRegistration === 'on',
    commandLine,
    onError: (error) => logger.error({ fault: faultOf(error) }, 'authorization server failed'),
  });
  return {
    host,
    async addRoutes(app, doors) {
      const registrations = createRateLimiter(REGISTRATIONS, core.clock);
      authorizationServer(app, { host, addresses, registrations });
      const attemptSecrets = () => serverSecretsOf(core.masterKeys);
      const passkeys = { ...core, publicBaseUrl, attemptSecrets };
      const { identityProviders: providers } = config;
      const { interactions } = host;
      interactionRoutes(app, { ...core, ...doors, passkeys, providers, interactions });
    },
    accessToken: (token, route) => verify(token, addresses().resources[resourceAt(route)]),
    challenge: (route, scopes) =>
      scopes === undefined
        ? bearerChallenge(addresses(), resourceAt(route), DEFAULT_SCOPES)
        : bearerChallenge(addresses(), resourceAt(route), scopes, 'insufficient_scope'),
  };
}
