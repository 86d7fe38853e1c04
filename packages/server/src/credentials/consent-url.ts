import { createHash, randomBytes } from 'node:crypto';
import type { ConsentUrlRequest, ConsentUrlResponse } from '@changgu/contract/schemas';
import { kstTime } from '../rules/kst.ts';
import { principalKey } from '../rules/principals/principal.ts';
import { invalidValue, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { ConsentServers } from './consent-server.ts';
import type { Linker } from './linker.ts';
import { type InstitutionFacts, institutionOf } from './linker.ts';

/** From the consent screen to the link request. */
const STATE_SECONDS = 600;

export interface ConsentDependencies {
  readonly store: Pick<Store, 'consentStates'>;
  readonly institutions: readonly InstitutionFacts[];
  readonly consentServers: ConsentServers;
  /** Where the browser comes back to; built here, never taken from a client. */
  readonly redirectUri: () => string;
}

/**
 * Starts a consent flow.
 * @throws ServiceError 400 for a provider without one or an unknown feature, PROVIDER_NOT_CONFIGURED
 */
export async function createConsentUrl(
  dependencies: ConsentDependencies,
  { principal }: Linker,
  request: ConsentUrlRequest,
): Promise<ConsentUrlResponse> {
  const { provider, consentFeatures } = institutionOf(dependencies.institutions, request.provider);
  if (consentFeatures.length === 0) {
    throw refused(['body', 'provider'], 'This provider has no consent flow');
  }
  const features = acceptFeatures(request.features ?? null, consentFeatures);
  const server = await dependencies.consentServers.of(provider);
  const state = randomBytes(32).toString('base64url');
  const { expiresAt } = await dependencies.store.consentStates.create({
    stateHash: hashState(state),
    organizationId: principal.organizationId,
    createdBy: principalKey(principal),
    provider,
    features,
    ttlSeconds: STATE_SECONDS,
  });
  return {
    consent_url: server.authorizeUrl({ state, features, redirectUri: dependencies.redirectUri() }),
    state,
    expires_at: kstTime(expiresAt),
  };
}

/**
 * Uses the state up and trades the code for what the institution gives for it.
 * @throws ServiceError CONSENT_STATE_INVALID, PROVIDER_NOT_CONFIGURED, PROVIDER_UPSTREAM_ERROR
 */
export async function redeemConsent(
  dependencies: ConsentDependencies,
  { principal }: Linker,
  provider: string,
  consent: { readonly code: string; readonly state: string },
): Promise<Readonly<Record<string, unknown>>> {
  const consumed = await dependencies.store.consentStates.consume({
    stateHash: hashState(consent.state),
    organizationId: principal.organizationId,
    createdBy: principalKey(principal),
    provider,
  });
  if (!consumed) throw new ServiceError('CONSENT_STATE_INVALID');
  const server = await dependencies.consentServers.of(provider);
  return server.exchange(consent.code, dependencies.redirectUri());
}

/** Null is the provider's whole set. @throws ServiceError 400 */
function acceptFeatures(
  requested: readonly string[] | null,
  known: readonly string[],
): readonly string[] {
  if (requested === null) return known;
  const unknown = requested.find((feature) => !known.includes(feature));
  if (unknown !== undefined || requested.length === 0) {
    throw refused(['body', 'features'], `Input should be one or more of ${known.join(', ')}`);
  }
  return [...new Set(requested)];
}

function refused(loc: readonly string[], msg: string): ServiceError {
  return invalidValue([{ loc, msg, type: 'value_error' }]);
}

function hashState(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}
