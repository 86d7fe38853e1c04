import { checkActionRules, type EnvScope, hasActionRules, type JobState } from '@changgu/contract';
import type { LinkPurpose } from '@changgu/contract/schemas';
import { kstDay } from '../kst.ts';
import { chooseLink, type LinkChoice, type LinkFacts } from '../links/choose-link.ts';
import { serves, wrongPurpose } from '../links/link-purpose.ts';
import { type OwnerKind, takesOwner, wrongOwner } from '../links/owner-kind.ts';
import { environmentRefusal, type OrganizationPolicy } from '../organizations/policy.ts';
import { type PeriodUsage, quotaExceeded, shortageOf } from '../quota/quota.ts';
import { bytesOfJob, storageExceeded } from '../quota/storage.ts';
import { type FieldViolation, invalidShape, ServiceError } from '../service-error.ts';
import { identityWithLink } from './request-identity.ts';

/** A submission, as far as the rules need it. */
export interface SubmissionFacts {
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly action: string;
  readonly link: 'required' | 'optional';
  readonly selectsAccount: boolean;
  /** Whose link the action needs; null for anyone's. */
  readonly ownerKind: OwnerKind | null;
  readonly usageTokens: number;
  /** As sent; null when omitted. */
  readonly accountLinkId: string | null;
  readonly identityWithoutLink: string;
  /** JSON as sent. */
  readonly params: string;
  /** The action schema's violations in the params; empty when they are valid. */
  readonly paramsViolations: readonly FieldViolation[];
  readonly productRetired: boolean;
  readonly providerConfigured: boolean;
  /** The purposes of links that the environment uses; null for any. */
  readonly linkPurpose: LinkPurpose | null;
  /** What the organization may store. */
  readonly storageLimitBytes: number;
}

/** The job that the same key created earlier. */
export interface ExistingJob {
  readonly id: string;
  readonly status: JobState;
  readonly submittedAt: number;
  readonly identityHash: string;
  readonly identityHashWithoutLink: string;
  readonly linkWasOmitted: boolean;
}

/** The rows that decide. */
export interface SubmissionRows {
  readonly now: number;
  readonly organization: OrganizationPolicy;
  /** Empty in sandbox. */
  readonly usages: readonly PeriodUsage[];
  /** What the organization already stores. */
  readonly storedBytes: number;
  /** The given link if it is the caller's; if none was given, all active ones of the provider. */
  readonly links: readonly LinkFacts[];
  readonly existing: ExistingJob | null;
}

export type SubmissionDecision =
  | { readonly kind: 'refuse'; readonly error: ServiceError }
  | { readonly kind: 'replay'; readonly job: ExistingJob }
  | { readonly kind: 'accept'; readonly link: LinkFacts | null };

/** Steps 8 to 11 of a submission, in the order that clients rely on (D19). */
export function decideSubmission(
  rows: SubmissionRows,
  request: SubmissionFacts,
): SubmissionDecision {
  const refusal = policyRefusal(rows, request);
  if (refusal) return { kind: 'refuse', error: refusal };
  const choice = chooseLink(rows.links, request);
  if (rows.existing) return replayOrConflict(rows.existing, choice, request);
  if (choice.kind === 'none') return refuse(new ServiceError(choice.code));
  const error = acceptanceRefusal(choice.link, choice.id, request, rows);
  return error ? { kind: 'refuse', error } : { kind: 'accept', link: choice.link };
}

/** Step 8. It precedes the replay, so that an exhausted quota answers 429 there too. */
export function policyRefusal(
  rows: Pick<SubmissionRows, 'now' | 'organization' | 'usages'>,
  request: Pick<SubmissionFacts, 'envScope' | 'usageTokens'>,
): ServiceError | null {
  const code = environmentRefusal(rows.organization, request.envScope, rows.now);
  if (code) return new ServiceError(code);
  const short = shortageOf(rows.usages, request.usageTokens);
  return short ? quotaExceeded(short, request.usageTokens, rows.now) : null;
}

/** Step 10: replay, conflict or new. A link that can no longer be chosen still allows a replay (D20). */
function replayOrConflict(
  existing: ExistingJob,
  choice: LinkChoice,
  { identityWithoutLink }: SubmissionFacts,
): SubmissionDecision {
  const chosenId = choice.kind === 'chosen' ? choice.id : null;
  // Where an action needs no link, one is not missed either.
  const same =
    chosenId === null && existing.linkWasOmitted
      ? existing.identityHashWithoutLink === identityWithoutLink
      : existing.identityHash === identityWithLink(identityWithoutLink, chosenId);
  if (same) return { kind: 'replay', job: existing };
  return refuse(
    new ServiceError(choice.kind === 'none' ? choice.code : 'IDEMPOTENCY_KEY_CONFLICT'),
  );
}

/** Step 11: only a new job needs these; a replay is answered even if they no longer hold (D20). */
function acceptanceRefusal(
  link: LinkFacts | null,
  chosenId: string | null,
  request: SubmissionFacts,
  { now, storedBytes }: Pick<SubmissionRows, 'now' | 'storedBytes'>,
): ServiceError | null {
  if (chosenId !== null && (link === null || link.status === 'UNLINKED')) {
    return new ServiceError('ACCOUNT_LINK_NOT_FOUND');
  }
  const { linkPurpose } = request;
  if (link !== null && linkPurpose !== null && !serves(link.purpose, linkPurpose)) {
    return new ServiceError('ACCOUNT_LINK_NOT_FOUND', { message: wrongPurpose(linkPurpose) });
  }
  const needsAccount = request.selectsAccount && request.envScope !== 'sandbox';
  if (needsAccount && link?.accountId == null) {
    return new ServiceError('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
  }
  return (
    ownerRefusal(link, request) ??
    requestRefusal(request, now) ??
    storageRefusal(request, storedBytes)
  );
}

/** The institution would say the same, after the tokens were charged (D84). */
function ownerRefusal(
  link: LinkFacts | null,
  { ownerKind }: Pick<SubmissionFacts, 'ownerKind'>,
): ServiceError | null {
  if (ownerKind === null || link === null || takesOwner(ownerKind, link.ownerKind)) return null;
  const msg =
    ownerKind === 'business'
      ? 'The link should be of a business'
      : 'The link should be of an individual';
  return new ServiceError('PROVIDER_VALIDATION_ERROR', {
    message: wrongOwner(ownerKind),
    fields: [{ loc: ['body', 'account_link_id'], msg, type: 'value_error' }],
  });
}

/** The last check of all: a request that fails it is valid in every other respect. */
export function storageRefusal(
  { params, storageLimitBytes }: Pick<SubmissionFacts, 'params' | 'storageLimitBytes'>,
  storedBytes: number,
): ServiceError | null {
  return storedBytes + bytesOfJob(params) > storageLimitBytes
    ? storageExceeded(storedBytes, storageLimitBytes)
    : null;
}

/** What only a new job of a submission or of an all-accounts line needs, independently of rows. */
export function requestRefusal(request: JobWish, now: number): ServiceError | null {
  const violations = paramsViolations(request, now);
  if (violations.length > 0) return invalidShape(violations);
  if (request.productRetired) return new ServiceError('PRODUCT_RETIRED');
  if (!request.providerConfigured) return new ServiceError('PROVIDER_NOT_CONFIGURED');
  return null;
}

type JobWish = Pick<
  SubmissionFacts,
  'action' | 'params' | 'paramsViolations' | 'productRetired' | 'providerConfigured'
>;

/** The schema first; the other rules only for params that it accepts. */
function paramsViolations(request: JobWish, now: number): readonly FieldViolation[] {
  if (request.paramsViolations.length > 0 || !hasActionRules(request.action)) {
    return request.paramsViolations;
  }
  const today = kstDay(now).replaceAll('-', '');
  return checkActionRules(request.action, JSON.parse(request.params), today).map(
    ({ loc, msg, type }) => ({ loc: ['body', 'params', ...loc], msg, type }),
  );
}

function refuse(error: ServiceError): SubmissionDecision {
  return { kind: 'refuse', error };
}
