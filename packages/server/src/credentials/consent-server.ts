import type { InstitutionAddresses } from '../institutions/addresses.ts';
import type { PortalHttp } from '../institutions/http-client.ts';
import { ServiceError } from '../service-error.ts';

/** How this service is registered at an institution's consent screen. */
export interface ConsentClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The OAuth 2.0 authorization code flow of one institution (D103). */
interface ConsentServer {
  authorizeUrl(request: {
    readonly state: string;
    readonly features: readonly string[];
    readonly redirectUri: string;
  }): string;
  /** Trades the code for tokens. @throws ServiceError CONSENT_STATE_INVALID when the institution refuses it */
  exchange(code: string, redirectUri: string): Promise<Readonly<Record<string, unknown>>>;
}

export interface ConsentServers {
  /** @throws ServiceError PROVIDER_NOT_CONFIGURED */
  of(provider: string): Promise<ConsentServer>;
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

/** A link has no environment (D22): the real institution is asked where one is configured. */
export function createConsentServers(options: ConsentServersOptions): ConsentServers {
  const { addresses, clientOf, http } = options;

  async function baseUrlOf(provider: string): Promise<string> {
    const scope = addresses.has('production', provider) ? 'production' : 'real_test';
    return addresses.urlOf(scope, provider);
  }

  return {
    async of(provider) {
      const client = await clientOf(provider);
      if (client === null) throw new ServiceError('PROVIDER_NOT_CONFIGURED');
      const baseUrl = await baseUrlOf(provider);
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
          const { open } = await http();
          const portal = open({ baseUrl, signal: AbortSignal.timeout(EXCHANGE_TIMEOUT_MS) });
          const answer = await portal.request({
            method: 'POST',
            path: TOKEN_PATH,
            json: {
              grant_type: 'authorization_code',
              code,
              redirect_uri: redirectUri,
              client_id: client.clientId,
              client_secret: client.clientSecret,
            },
          });
          return readTokens(answer.status, answer.text());
        },
      };
    },
  };
}

function readTokens(status: number, text: string): Readonly<Record<string, unknown>> {
  // The institution says 400 for every code that is unknown, used, expired or of another client.
  if (status === 400) throw new ServiceError('CONSENT_STATE_INVALID');
  const tokens = status === 200 ? parseObject(text) : null;
  if (typeof tokens?.access_token !== 'string') throw new ServiceError('PROVIDER_UPSTREAM_ERROR');
  return tokens;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
