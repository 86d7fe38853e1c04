import { hash, randomBytes } from 'node:crypto';
import type { ConsentUrlRequest, ConsentUrlResponse, LinkPurpose } from '@changgu/contract/schemas';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import { kstTime } from '../rules/kst.ts';
import { defaultPurpose } from '../rules/links/link-purpose.ts';
import { principalKey } from '../rules/principals/principal.ts';
import { invalidShape, invalidValue, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { ConsentServers } from './consent-server.ts';
import { type InstitutionFacts, institutionOf, type Linker } from './linker.ts';

/** From the consent screen to the link request. */
const STATE_SECONDS = 600;

export interface ConsentDependencies {
  readonly store: Pick<Store, 'accountLinks' | 'consentStates'>;
  readonly addresses: Pick<InstitutionAddresses, 'origins'>;
  readonly institutions: readonly InstitutionFacts[];
  readonly consentServers: ConsentServers;
  /** Where the browser comes back to; built here, never taken from a client. */
  readonly redirectUri: () => string;
}

/**
 * Starts a consent flow, for a new link or to renew the consent of one.
 * @throws ServiceError 400 for a provider without one or an unknown feature; ACCOUNT_LINK_NOT_FOUND,
 * PROVIDER_NOT_CONFIGURED
 */
export async function createConsentUrl(
  dependencies: ConsentDependencies,
  { principal }: Linker,
  request: ConsentUrlRequest,
): Promise<ConsentUrlResponse> {
  const { store, institutions, redirectUri } = dependencies;
  const { organizationId } = principal;
  const { provider, consentFeatures } = institutionOf(institutions, request.provider);
  if (consentFeatures.length === 0) {
    throw refused(['body', 'provider'], 'This provider has no consent flow');
  }
  const features = acceptFeatures(request.features ?? null, consentFeatures);
  const accountLinkId = request.account_link_id?.toLowerCase() ?? null;
  const ofLink =
    accountLinkId === null
      ? null
      : await purposeOfLink(store, { organizationId, provider, accountLinkId });
  if (ofLink !== null && request.purpose !== undefined && request.purpose !== ofLink) {
    throw otherPurpose();
  }
  const purpose = ofLink ?? request.purpose ?? defaultPurposeAt(dependencies, provider);
  const server = await dependencies.consentServers.of(provider, purpose);
  const state = randomBytes(32).toString('base64url');
  const { expiresAt } = await store.consentStates.create({
    stateHash: hashState(state),
    organizationId,
    createdBy: principalKey(principal),
    provider,
    features,
    purpose,
    accountLinkId,
    ttlSeconds: STATE_SECONDS,
  });
  return {
    consent_url: server.authorizeUrl({ state, features, redirectUri: redirectUri() }),
    state,
    expires_at: kstTime(expiresAt),
  };
}

export interface RedeemedConsent {
  readonly authorization: Readonly<Record<string, unknown>>;
  /** Where it was given. */
  readonly purpose: LinkPurpose;
  /** The identity of the link whose consent it renews; null for a new link. */
  readonly renews: string | null;
}

/**
 * Uses the state up and trades the code for what the institution gives for it.
 * @throws ServiceError CONSENT_STATE_INVALID; 422 for another purpose than it was begun for; ACCOUNT_LINK_NOT_FOUND,
 * PROVIDER_NOT_CONFIGURED, PROVIDER_UPSTREAM_ERROR
 */
export async function redeemConsent(
  dependencies: ConsentDependencies,
  { principal }: Linker,
  provider: string,
  consent: {
    readonly code: string;
    readonly state: string;
    readonly purpose: LinkPurpose | null;
  },
): Promise<RedeemedConsent> {
  const { store, consentServers, redirectUri } = dependencies;
  const { organizationId } = principal;
  const begun = await store.consentStates.consume({
    stateHash: hashState(consent.state),
    organizationId,
    createdBy: principalKey(principal),
    provider,
    purpose: consent.purpose,
  });
  if (begun === 'other_purpose') throw otherPurpose();
  if (begun === null) throw new ServiceError('CONSENT_STATE_INVALID');
  const { accountLinkId } = begun;
  const renews =
    accountLinkId === null
      ? null
      : await store.accountLinks.identityOf({ id: accountLinkId, organizationId });
  const purpose = begun.purpose ?? consent.purpose ?? defaultPurposeAt(dependencies, provider);
  const server = await consentServers.of(provider, purpose);
  const authorization = await server
    .exchange(consent.code, redirectUri())
    .catch((failure: unknown) => {
      throw withoutRetry(failure);
    });
  return { authorization, purpose, renews };
}

/** The state has been used up, so the same request cannot succeed a second time. */
function withoutRetry(failure: unknown): unknown {
  if (!(failure instanceof ServiceError) || !failure.retryable) return failure;
  return new ServiceError(failure.code, {
    cause: failure,
    retryable: false,
    message: {
      ko: '기관의 응답을 받지 못했습니다. 동의 절차를 처음부터 다시 시작하십시오.',
      en: 'The institution gave no usable answer. Start the consent flow again.',
    },
  });
}

function defaultPurposeAt(
  { addresses }: Pick<ConsentDependencies, 'addresses'>,
  provider: string,
): LinkPurpose {
  return defaultPurpose(addresses.origins(provider));
}

/** The purpose of the link whose consent is renewed. @throws ServiceError ACCOUNT_LINK_NOT_FOUND, 400 */
async function purposeOfLink(
  store: Pick<Store, 'accountLinks'>,
  by: {
    readonly organizationId: number;
    readonly provider: string;
    readonly accountLinkId: string;
  },
): Promise<LinkPurpose | null> {
  const { organizationId, accountLinkId: id } = by;
  const link = await store.accountLinks.find({ id, organizationId });
  if (link.provider !== by.provider || link.status === 'UNLINKED') {
    throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
  }
  if (link.authType !== 'consent') {
    throw refused(['body', 'account_link_id'], 'The link does not rest on a consent');
  }
  return link.purpose;
}

function otherPurpose(): ServiceError {
  const msg = 'The consent is for a link of the other purpose';
  return invalidShape([{ loc: ['body', 'purpose'], msg, type: 'value_error' }]);
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
  return hash('sha256', state);
}
