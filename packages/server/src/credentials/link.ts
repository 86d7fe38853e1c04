import { randomUUID } from 'node:crypto';
import type { LinkRequest, LinkResponse, RelinkResponse } from '@changgu/contract/schemas';
import type { Vault } from '../crypto/vault.ts';
import { kstTime } from '../kst.ts';
import { actorOf } from '../principals/actor.ts';
import { ServiceError } from '../service-error.ts';
import type { AccountLink, LinkDraft, StoredLink } from '../store/account-links.ts';
import type { Store } from '../store/database.ts';
import type { Presented } from './certificate-credential.ts';
import type { Identities } from './identity.ts';
import { givenCredential } from './link-kind.ts';
import { toCertificate } from './link-records.ts';
import { readBizNumber, unwrapLinkRequest } from './link-request.ts';
import { institutionOf, type Linker, siblingProviders } from './linker.ts';
import { type PresentParts, presentCredential } from './present.ts';
import { replacesCredential } from './relink.ts';
import { openCredential, sealCredential } from './stored-credential.ts';

const DEFAULT_PROVIDER = 'tax_portal';
/** Each try starts from what another writer has just committed. */
const TRIES = 5;

export interface LinkParts extends PresentParts {
  readonly store: Pick<Store, 'accountLinks' | 'consentStates'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly identities: Identities;
}

export type LinkAnswer =
  | { readonly status: 201; readonly body: LinkResponse }
  | { readonly status: 200; readonly body: RelinkResponse };

/** What is to be saved, on behalf of whom. */
interface Registration {
  readonly linker: Linker;
  /** The one asked for first, then those that a certificate fans out to. */
  readonly providers: readonly [string, ...string[]];
  readonly presented: Presented;
  readonly identity: string;
  readonly request: LinkRequest;
  readonly bizNumber: string | undefined;
}

/**
 * Registers a certificate, a login or a consent (D99–D102). The same identity again changes the link
 * that is there.
 * @throws ServiceError 400, 422, CREDENTIAL_INVALID, CREDENTIAL_CONFIRM_REQUIRED, CONSENT_STATE_INVALID
 */
export async function linkCredential(
  parts: LinkParts,
  linker: Linker,
  sent: LinkRequest,
): Promise<LinkAnswer> {
  const request = await unwrapLinkRequest(parts.encryptionKeys, sent);
  const given = givenCredential(request);
  const institution = institutionOf(parts.institutions, request.provider ?? DEFAULT_PROVIDER);
  const { provider } = institution;
  const siblings = siblingProviders(parts.institutions, provider, request.exclude_providers ?? []);
  const bizNumber = readBizNumber(request.biz_number);
  const presented = await presentCredential(parts, linker, institution, given, request);
  return save(parts, {
    linker,
    providers: [provider, ...(given.type === 'certificate' ? siblings : [])],
    presented,
    identity: await parts.identities.hash(linker.principal.organizationId, presented.identity),
    request,
    bizNumber,
  });
}

async function save(parts: LinkParts, registration: Registration): Promise<LinkAnswer> {
  const { linker, providers, identity } = registration;
  const { organizationId } = linker.principal;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const by = { organizationId, providers, identity };
    const standing = new Map(
      (await parts.store.accountLinks.matching(by)).map((link) => [link.provider, link]),
    );
    const drafts = await Promise.all(
      providers.map((provider) => draftFor(parts, registration, provider, standing.get(provider))),
    );
    const saved = await parts.store.accountLinks.save({
      organizationId,
      drafts: drafts.filter((draft) => draft !== null),
      actor: actorOf(linker.principal, linker.traceId),
    });
    if (saved === null) continue;
    const links = providers.flatMap(
      (provider) =>
        saved.find((link) => link.provider === provider) ?? standing.get(provider) ?? [],
    );
    const [main, ...fanOut] = links;
    if (main === undefined) throw new Error('a saved link is missing');
    return answer(main, fanOut, {
      isNew: !standing.has(main.provider),
      changed: drafts[0] !== null,
    });
  }
  throw new ServiceError('SERVICE_UNAVAILABLE');
}

/** What becomes of one provider's link; null when nothing does. */
async function draftFor(
  { vault }: LinkParts,
  registration: Registration,
  provider: string,
  standing: StoredLink | undefined,
): Promise<LinkDraft | null> {
  const { linker, presented, identity, request, bizNumber, providers } = registration;
  const { organizationId } = linker.principal;
  const id = standing?.id ?? randomUUID();
  const replaces = standing
    ? replacesCredential(
        {
          credential: await openCredential(vault, organizationId, id, standing.credential),
          status: standing.status,
        },
        presented.credential,
        request.confirm ?? false,
      )
    : true;
  const draft: LinkDraft = {
    id,
    provider,
    revision: standing?.revision ?? null,
    authType: presented.credential.type,
    identity,
    credential: replaces
      ? await sealCredential(vault, organizationId, id, presented.credential)
      : null,
    certificate: presented.certificate,
    ownerKind: presented.ownerKind,
    ...definedFacts(request, bizNumber),
    primary: request.is_primary ? (provider === providers[0] ? 'set' : 'if_none') : 'keep',
  };
  return standing && !replaces && !changesFacts(draft, standing) ? null : draft;
}

function definedFacts(request: LinkRequest, bizNumber: string | undefined) {
  const { display_label: label, cert_name: certName, business_name: businessName } = request;
  return {
    ...(typeof label === 'string' ? { displayLabel: label } : {}),
    ...(typeof certName === 'string' ? { certName } : {}),
    ...(typeof businessName === 'string' ? { businessName } : {}),
    ...(bizNumber === undefined ? {} : { bizNumber }),
  };
}

function changesFacts(draft: LinkDraft, standing: StoredLink): boolean {
  return (
    (draft.displayLabel ?? standing.displayLabel) !== standing.displayLabel ||
    (draft.businessName ?? standing.businessName) !== standing.businessName ||
    (draft.bizNumber ?? standing.bizNumber) !== standing.bizNumber ||
    (draft.primary === 'set' && !standing.isPrimary)
  );
}

function answer(
  link: AccountLink,
  fanOut: readonly AccountLink[],
  outcome: { readonly isNew: boolean; readonly changed: boolean },
): LinkAnswer {
  const body = {
    account_link_id: link.id,
    provider: link.provider,
    auth_type: link.authType,
    display_label: link.displayLabel,
    is_primary: link.isPrimary,
    cert: toCertificate(link.certificate),
    fan_out: fanOut.map(({ provider, id }) => ({ provider, account_link_id: id })),
    registered_at: kstTime(link.registeredAt),
  };
  if (outcome.isNew) return { status: 201, body: { ...body, status: 'ACTIVE' } };
  const status = link.status === 'SUSPENDED' ? 'SUSPENDED' : 'ACTIVE';
  return { status: 200, body: { ...body, status, changed: outcome.changed } };
}
