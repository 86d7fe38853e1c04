import { OAUTH_SCOPES, type OAuthScope } from '@changgu/contract';

/** The scopes of a client that names none: everything reversible. */
export const DEFAULT_SCOPES: readonly OAuthScope[] = ['jobs:read', 'jobs:submit', 'links:read'];

/** The resource servers of one server. A token is valid at the one for which it was issued. */
export type ResourceName = 'api' | 'mcp';

const RESOURCE_PATHS: Readonly<Record<ResourceName, string>> = { api: '/v1', mcp: '/mcp' };
const RESOURCE_NAMES = Object.keys(RESOURCE_PATHS) as ResourceName[];

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The addresses of all OAuth endpoints, from the server's own address. */
export interface OAuthAddresses {
  readonly issuer: string;
  readonly resources: Readonly<Record<ResourceName, string>>;
}

export function oauthAddresses(publicBaseUrl: string): OAuthAddresses {
  const base = publicBaseUrl.replace(/\/+$/, '');
  return {
    issuer: `${base}/oauth`,
    resources: { api: `${base}${RESOURCE_PATHS.api}`, mcp: `${base}${RESOURCE_PATHS.mcp}` },
  };
}

/** Our resource server with this address, if there is one. */
export function resourceNamed(
  { resources }: OAuthAddresses,
  address: string,
): ResourceName | undefined {
  return RESOURCE_NAMES.find((name) => resources[name] === address);
}

/** The resource server of a request, by the path of its route: a request can spell the same path in several ways. */
export function resourceAt(route: string | undefined): ResourceName {
  return route === RESOURCE_PATHS.mcp ? 'mcp' : 'api';
}

/** The path of a resource's metadata on its origin (RFC 9728, section 3.1). */
export function resourceMetadataPath(resource: string): string {
  const { pathname } = new URL(resource);
  return `${RESOURCE_METADATA}${pathname === '/' ? '' : pathname}`;
}

/** Protected-resource metadata, by path. */
export function resourceMetadata({ issuer, resources }: OAuthAddresses): Map<string, object> {
  return new Map(
    RESOURCE_NAMES.map((name) => [
      resourceMetadataPath(resources[name]),
      {
        resource: resources[name],
        authorization_servers: [issuer],
        scopes_supported: [...OAUTH_SCOPES],
        bearer_methods_supported: ['header'],
        resource_name: 'Changgu',
      },
    ]),
  );
}

/** The Bearer challenge of a resource: what a client needs to get a token, or one with more scopes. */
export function bearerChallenge(
  addresses: OAuthAddresses,
  resource: ResourceName,
  scopes: readonly OAuthScope[],
  error?: 'invalid_token' | 'insufficient_scope',
): string {
  const own = addresses.resources[resource];
  const metadata = new URL(resourceMetadataPath(own), own).href;
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${metadata}"`,
    `scope="${scopes.join(' ')}"`,
  ];
  return `Bearer realm="changgu", ${parts.join(', ')}`;
}
