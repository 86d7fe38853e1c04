import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import * as openid from 'openid-client';
import { SettingError } from '../settings.ts';
import {
  type CallerToken,
  callerOf,
  DEFAULT_SCOPES,
  type Expected,
  MIN_SCOPE,
  SCOPES,
} from './caller-token.ts';

export interface ResourceOptions {
  /** Public address of this bridge: the audience of its tokens. */
  readonly resource: string;
  /** The service whose authorization server issues the tokens. */
  readonly baseUrl: string;
  /** What `changgu-server oauth client add --resource` printed. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The bridge as an OAuth resource server: who may call it, and how others find out where to get a token. */
export interface ResourceServer {
  /** The metadata of RFC 9728, or undefined for other requests. */
  metadata(request: Request): Response | undefined;
  /** The caller, or the answer that refuses it. */
  admit(request: Request): Promise<CallerToken | Response>;
  /** The answer to a caller whose token lacks scopes; it names all that the next one needs. */
  askForMore(caller: CallerToken, needed: readonly string[]): Response;
}

/**
 * Asks the authorization server about the token on every call, so revoked tokens are refused at once.
 * @throws SettingError when the service has no OAuth
 */
export async function openResourceServer(
  { resource, baseUrl, clientId, clientSecret }: ResourceOptions,
  expected: Expected,
): Promise<ResourceServer> {
  const resourceServerUrl = parseResource(resource);
  const config = await discover(baseUrl, clientId, clientSecret);
  const documents = {
    oauthMetadata: oauthMetadataOf(config),
    resourceServerUrl,
    scopesSupported: [...SCOPES],
    resourceName: 'Changgu',
  };
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
  // Hosts request what the challenge names: all reversible scopes, to avoid a step-up on the first call.
  const challenge = { requiredScopes: [...DEFAULT_SCOPES], resourceMetadataUrl };

  async function verifyAccessToken(token: string): Promise<AuthInfo> {
    const answer = await openid.tokenIntrospection(config, token);
    return callerOf(token, answer, expected);
  }

  return {
    metadata: (request) => oauthMetadataResponse(request, documents),
    async admit(request) {
      try {
        const info = await verifyBearerToken(request.headers.get('authorization'), {
          requiredScopes: [...MIN_SCOPE],
          resourceMetadataUrl,
          verifier: { verifyAccessToken },
          expectedResource: resourceServerUrl,
        });
        return info;
      } catch (error) {
        return bearerAuthChallengeResponse(error, challenge);
      }
    },
    askForMore({ scopes }, needed) {
      const error = new OAuthError(OAuthErrorCode.InsufficientScope, 'More scopes are needed');
      const requiredScopes = [...new Set([...scopes, ...needed])];
      return bearerAuthChallengeResponse(error, { requiredScopes, resourceMetadataUrl });
    },
  };
}

function parseResource(resource: string): URL {
  const url = URL.parse(resource);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hash === '' && url.search === '') {
    return url;
  }
  throw new SettingError({
    ko: 'CHANGGU_MCP_RESOURCE는 https://…/mcp와 같은 주소여야 합니다.',
    en: 'CHANGGU_MCP_RESOURCE must be an address such as https://…/mcp.',
  });
}

async function discover(
  baseUrl: string,
  clientId: string,
  clientSecret: string,
): Promise<openid.Configuration> {
  const issuer = new URL(`${baseUrl.replace(/\/+$/, '')}/oauth`);
  // The SDK refuses addresses without TLS, except on this machine.
  const execute = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  const auth = openid.ClientSecretBasic(clientSecret);
  try {
    return await openid.discovery(issuer, clientId, {}, auth, { algorithm: 'oauth2', execute });
  } catch (cause) {
    throw new SettingError(
      {
        ko: `CHANGGU_MCP_RESOURCE를 사용하려면 CHANGGU_BASE_URL의 서버에 CHANGGU_OAUTH=on이 설정되어 있어야 합니다. ${issuer.href}에 메타데이터가 없습니다.`,
        en: `CHANGGU_MCP_RESOURCE needs a service with CHANGGU_OAUTH=on at CHANGGU_BASE_URL: ${issuer.href} gives no metadata.`,
      },
      { cause },
    );
  }
}

type Metadata = Parameters<typeof oauthMetadataResponse>[1]['oauthMetadata'];

function oauthMetadataOf(config: openid.Configuration): Metadata {
  const { supportsPKCE: _, ...metadata } = config.serverMetadata();
  const { authorization_endpoint: authorization, token_endpoint: token } = metadata;
  if (authorization === undefined || token === undefined) {
    throw new SettingError({
      ko: '서버의 OAuth 메타데이터에 엔드포인트가 없습니다. 서버의 OAuth 설정을 확인하십시오.',
      en: 'The OAuth metadata of the service names no endpoints. Check the OAuth settings of the server.',
    });
  }
  return {
    issuer: metadata.issuer,
    authorization_endpoint: authorization,
    token_endpoint: token,
    response_types_supported: metadata.response_types_supported ?? ['code'],
    scopes_supported: [...SCOPES],
    code_challenge_methods_supported: ['S256'],
  };
}
