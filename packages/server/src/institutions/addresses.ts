import type { EnvScope } from '@changgu/contract';
import type { InstitutionOrigins } from '../rules/links/link-purpose.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { RealScope } from './connector.ts';

/** The address of each institution per environment. */
export interface InstitutionAddresses {
  /** True in sandbox, where nothing is contacted. */
  has(envScope: EnvScope, provider: string): boolean;
  /** Whether its two environments share an origin. A simulated institution has none of its own. */
  origins(provider: string): InstitutionOrigins;
  /** Base URL. @throws ServiceError PROVIDER_NOT_CONFIGURED */
  urlOf(envScope: RealScope, provider: string): Promise<string>;
}

/** Institutions that start on first use: the simulated ones of `dev`. */
export interface SimulatedInstitutions {
  has(provider: string): boolean;
  urlOf(provider: string): Promise<string>;
}

type Urls = Readonly<Record<string, string>>;

/** A configured address takes precedence over a simulated institution; production is never simulated. */
export function institutionAddresses(
  configured: Readonly<Record<RealScope, Urls>>,
  simulated: SimulatedInstitutions | null,
): InstitutionAddresses {
  const isSimulated = (envScope: RealScope, provider: string) =>
    envScope === 'real_test' && simulated?.has(provider) === true;
  return {
    has: (envScope, provider) =>
      envScope === 'sandbox' ||
      configured[envScope][provider] !== undefined ||
      isSimulated(envScope, provider),
    origins: (provider) => ({
      production: originOf(configured.production[provider]),
      realTest: originOf(configured.real_test[provider]),
    }),
    async urlOf(envScope, provider) {
      const url = configured[envScope][provider];
      if (url !== undefined) return url;
      if (simulated === null || !isSimulated(envScope, provider)) {
        throw new ServiceError('PROVIDER_NOT_CONFIGURED');
      }
      return simulated.urlOf(provider);
    },
  };
}

function originOf(url: string | undefined): string | null {
  return url === undefined ? null : new URL(url).origin;
}
