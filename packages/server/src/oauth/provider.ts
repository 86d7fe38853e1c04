import { OAUTH_SCOPES } from '@changgu/contract';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { KeyRing } from '../crypto/key-ring.ts';
import type { Vault } from '../crypto/vault.ts';
import { newOAuthClientId } from '../ids.ts';
import { pagePolicy } from '../requests/html-page.ts';
import type { Store } from '../store/database.ts';
import { createAdapter } from './adapter.ts';
import type { OAuthAddresses } from './addresses.ts';
import { applicationTypeOf } from './application-type.ts';
import { DOCUMENT_LIMITS, type DocumentFetch } from './client-documents.ts';
import { COMMAND_LINE_CLIENT } from './command-line-client.ts';
import { devicePages } from './device-pages.ts';
import { errorPage } from './error-page.ts';
import {
  begunCookie,
  INTERACTION_SECONDS,
  interactionCookie,
  interactionPath,
} from './interaction-cookie.ts';
import { providerKeys } from './keys.ts';
import { loadOidcProvider } from './oidc-provider.ts';
import { isSafeRedirect, SAFE_REDIRECTS } from './redirect-uris.ts';
import { REQUEST_ORIGINS } from './request-origins.ts';
import { COOKIE_OPTIONS, SESSION_COOKIE } from './session-cookie.ts';

export interface ProviderDependencies {
  readonly store: Pick<Store, 'oauthArtifacts' | 'oauthClients' | 'oauthGrants' | 'users'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly ring: Pick<KeyRing, 'keys'>;
  readonly addresses: OAuthAddresses;
  readonly documents: Pick<DocumentFetch, 'fetch'>;
  readonly realNow: () => number;
  readonly clientDocuments: boolean;
  readonly registration: boolean;
  /** Has the client of `changgu login --web`. */
  readonly commandLine: boolean;
  readonly onError: (error: Error) => void;
}

type Library = Awaited<ReturnType<typeof loadOidcProvider>>;

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** An approval has to be renewed after this time, however often the client refreshes. */
export const GRANT_SECONDS = 90 * DAY;

/** Not the library's `web`. It passes on no undefined, and null, which it does pass on, is missing from its types. */
const UNNAMED = null as unknown as 'web';

/** The authorization server: the library's configuration. @throws ConfigError when it is not installed */
export async function openProvider(dependencies: ProviderDependencies): Promise<Provider> {
  const library = await loadOidcProvider();
  const keys = providerKeys(await dependencies.ring.keys());
  const { issuer } = dependencies.addresses;
  const provider = new library.Provider(issuer, {
    ...protocol(dependencies),
    ...redirects(library),
    ...lifetimes(),
    ...interaction(library, issuer, keys.cookieKeys),
    jwks: keys.jwks,
    features: features(library, dependencies),
    adapter: createAdapter({
      ...dependencies,
      alreadyUsed: () => new library.errors.InvalidGrant('it was already used'),
    }),
  });
  // Requests are rewritten to the issuer's address, whatever they claim.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => dependencies.onError(error));
  provider.on('grant.success', (ctx) => recordRefresh(ctx, dependencies));
  return provider;
}

function recordRefresh(
  { oidc, req }: KoaContextWithOIDC,
  { store, onError }: ProviderDependencies,
): void {
  const grantId = oidc.entities.RotatedRefreshToken?.grantId;
  if (grantId === undefined) return;
  const origin = REQUEST_ORIGINS.get(req) ?? { traceId: null };
  store.oauthGrants.recordRefresh({ grantId, origin }).catch(onError);
}

function protocol({ store, documents, commandLine }: ProviderDependencies): Configuration {
  return {
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      application_type: UNNAMED,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'Ed25519',
    },
    enabledJWA: { idTokenSigningAlgValues: ['Ed25519'] },
    clients: commandLine ? [COMMAND_LINE_CLIENT] : [],
    responseTypes: ['code'],
    scopes: [...OAUTH_SCOPES],
    pkce: { required: () => true },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    expiresWithSession: async () => false,
    // Only what the person approved in this request, never the remains of an earlier approval.
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    // What other resource servers must know beyond scopes; this server asks its own table.
    extraTokenClaims: async (_ctx, token) => {
      const grantId = token.kind === 'AccessToken' ? token.grantId : undefined;
      const grant = grantId === undefined ? null : await store.oauthGrants.find(grantId);
      if (grant === null) return undefined;
      const { organizationId, envScopes, allowedActions } = grant;
      return {
        organization_id: organizationId,
        allowed_env_scopes: envScopes,
        allowed_actions: allowedActions,
      };
    },
    findAccount: async (_ctx, accountId) => {
      const user = await store.users.find({ userId: Number(accountId) });
      return user === null ? undefined : { accountId, claims: async () => ({ sub: accountId }) };
    },
    fetch: documents.fetch,
    fetchResponseBodyLimits: DOCUMENT_LIMITS,
    renderError: async (ctx, out) => {
      ctx.set('content-security-policy', pagePolicy());
      ctx.type = 'html';
      ctx.body = errorPage(out, ctx.get('accept-language'));
    },
  };
}

/**
 * However a client became known: the library itself takes http of any host for a web client, and takes every client
 * for one that does not say otherwise, which then has no scheme of its own and no port but the one that it named.
 */
function redirects({ errors }: Library): Configuration {
  return {
    extraClientMetadata: {
      properties: ['redirect_uris'],
      validator: (_ctx, name, value, metadata) => {
        const addresses = Array.isArray(value) ? value : [];
        if (!addresses.every(isSafeRedirect)) {
          throw new errors.InvalidClientMetadata(`${name} must be ${SAFE_REDIRECTS}`);
        }
        metadata.application_type ??= applicationTypeOf(addresses) ?? 'web';
      },
    },
  };
}

function lifetimes(): Configuration {
  return {
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      DeviceCode: INTERACTION_SECONDS,
      RefreshToken: 30 * DAY,
      Grant: GRANT_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
    },
  };
}

/** Every request asks the person again, on our own page. */
function interaction(
  { interactionPolicy: { Check, Prompt } }: Library,
  issuer: string,
  cookieKeys: string[],
): Configuration {
  const unapproved = new Check(
    'not_approved',
    'the person has not approved this request',
    ({ oidc }) => oidc.result?.consent === undefined,
  );
  return {
    interactions: {
      policy: [
        new Prompt({ name: 'login', requestable: true }),
        new Prompt({ name: 'consent', requestable: true }, unapproved),
      ],
      url: (ctx, { uid }) => {
        ctx.append('set-cookie', begunCookie(issuer, uid));
        return interactionPath(issuer, uid);
      },
    },
    cookies: {
      keys: cookieKeys,
      names: {
        session: SESSION_COOKIE,
        interaction: interactionCookie(issuer),
        resume: 'changgu_oauth_resume',
      },
      long: COOKIE_OPTIONS,
      short: COOKIE_OPTIONS,
    },
  };
}

function features(
  { errors }: Library,
  { addresses, store, clientDocuments, registration }: ProviderDependencies,
): Configuration['features'] {
  const isTaken = async (provider: Provider, clientId: string) => {
    try {
      return (await provider.Client.find(clientId)) !== undefined;
    } catch (error) {
      if (error instanceof errors.InvalidClientMetadata) return false;
      throw error;
    }
  };
  const resources: readonly string[] = Object.values(addresses.resources);
  const { resourceName } = store.oauthClients;
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => client.clientId === token.clientId,
    },
    introspection: {
      enabled: true,
      // Only for resource servers that an operator registered.
      allowedPolicy: async ({ oidc }, client, token) => {
        // The library fails on the token of a client that this server no longer has or takes.
        if (!token.clientId || !(await isTaken(oidc.provider, token.clientId))) return false;
        const asker = await store.oauthClients.find(client.clientId);
        if (!asker?.mayIntrospect) return false;
        return asker.resource === null || audiencesOf(token).includes(asker.resource);
      },
    },
    deviceFlow: { enabled: true, ...devicePages() },
    registration: {
      enabled: registration,
      issueRegistrationAccessToken: false,
      idFactory: newOAuthClientId,
    },
    clientIdMetadataDocument: {
      enabled: clientDocuments,
      ack: 'draft-02',
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, oneOf) => oneOf ?? addresses.resources.api,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, resource) => {
        const isKnown = resources.includes(resource) || (await resourceName(resource)) !== null;
        if (!isKnown) throw new errors.InvalidTarget();
        return { scope: OAUTH_SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
      },
    },
  };
}

function audiencesOf(token: object): unknown[] {
  return 'aud' in token ? [token.aud].flat() : [];
}
