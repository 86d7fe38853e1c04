import type { LinkPurpose } from '@changgu/contract/schemas';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import type { PortalHttp } from '../institutions/portal/client/http-client.ts';
import { unanswered } from '../institutions/portal/unanswered.ts';
import { parseJsonObject } from '../rules/json-object.ts';
import { scopeOfPurpose } from '../rules/links/link-purpose.ts';
import { ServiceError } from '../rules/service-error.ts';

/** How this service is registered at an institution's consent screen. */
export interface ConsentClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The OAuth 2.0 authorization code flow of one institution. */
export interface ConsentServer {
  authorizeUrl(request: {
    readonly state: string;
    readonly features: readonly string[];
    readonly redirectUri: string;
  }): string;
  /** Trades the code for tokens. @throws ServiceError CONSENT_STATE_INVALID when the institution refuses it, PROVIDER_UPSTREAM_ERROR */
  exchange(code: string, redirectUri: string): Promise<ConsentTokens>;
  /** New tokens for those of an earlier exchange; null when the consent has ended. */
  renew(tokens: ConsentTokens): Promise<ConsentTokens | null>;
}

/** The institution's answer, as it came. */
type ConsentTokens = Readonly<Record<string, unknown>>;

export interface ConsentServers {
  /** The real institution, or its test system. @throws ServiceError PROVIDER_NOT_CONFIGURED */
  of(provider: string, purpose: LinkPurpose): Promise<ConsentServer>;
}

interface ConsentServersOptions {
  readonly addresses: InstitutionAddresses;
  /** Null: the service is not registered there. */
  readonly clientOf: (provider: string) => Promise<ConsentClient | null>;
  /** Made on first use: its library is slow to load. */
  readonly http: () => Promise<Pick<PortalHttp, 'open'>>;
}

const AUTHORIZE_PATH = '/oauth/authorize';
const TOKEN_PATH = '/oauth/token';
const EXCHANGE_TIMEOUT_MS = 30_000;

export function createConsentServers(options: ConsentServersOptions): ConsentServers {
  const { addresses, clientOf, http } = options;

  async function baseUrlOf(provider: string, purpose: LinkPurpose): Promise<string> {
    const scope = scopeOfPurpose(purpose, addresses.origins(provider));
    if (scope === null) throw new ServiceError('PROVIDER_NOT_CONFIGURED');
    return addresses.urlOf(scope, provider);
  }

  async function askForTokens(
    baseUrl: string,
    { clientId, clientSecret }: ConsentClient,
    grant: Readonly<Record<string, string>>,
  ): Promise<ConsentTokens | null> {
    const { open } = await http();
    const portal = open({ baseUrl, signal: AbortSignal.timeout(EXCHANGE_TIMEOUT_MS) });
    const answer = await portal.request({
      method: 'POST',
      path: TOKEN_PATH,
      json: { ...grant, client_id: clientId, client_secret: clientSecret },
    });
    return readTokens(answer.status, answer.text());
  }

  return {
    async of(provider, purpose) {
      const client = await clientOf(provider);
      if (client === null) throw new ServiceError('PROVIDER_NOT_CONFIGURED');
      const baseUrl = await baseUrlOf(provider, purpose);
      return {
        authorizeUrl({ state, features, redirectUri }) {
          const url = new URL(AUTHORIZE_PATH, baseUrl);
          url.search = new URLSearchParams({
            response_type: 'code',
            client_id: client.clientId,
            redirect_uri: redirectUri,
            state,
            scope: features.join(' '),
          }).toString();
          return url.href;
        },
        async exchange(code, redirectUri) {
          const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
          const tokens = await askForTokens(baseUrl, client, grant).catch((failure: unknown) => {
            throw unanswered(failure);
          });
          if (tokens === null) throw new ServiceError('CONSENT_STATE_INVALID');
          return tokens;
        },
        async renew({ refresh_token: token, ...rest }) {
          if (typeof token !== 'string') return null;
          const grant = { grant_type: 'refresh_token', refresh_token: token };
          const tokens = await askForTokens(baseUrl, client, grant);
          return tokens && { ...rest, refresh_token: token, ...tokens };
        },
      };
    },
  };
}

/** Null for a grant that is unknown, used, expired or of another client: the institution says 400 to all. */
function readTokens(status: number, text: string): ConsentTokens | null {
  if (status === 400) return null;
  const tokens = status === 200 ? parseJsonObject(text) : null;
  if (typeof tokens?.access_token !== 'string') throw new ServiceError('PROVIDER_UPSTREAM_ERROR');
  return tokens;
}
