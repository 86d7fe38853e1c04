import { randomUUID } from 'node:crypto';
import type { LinkPurpose } from '@changgu/contract/schemas';
import { ownerOfPolicy } from '../certificates/certificate-policy.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { AccountLink, CertificateFacts, StoredLink } from '../store/links/link-rows.ts';
import type { LinkDraft } from '../store/links/save-links.ts';
import type { Presented } from './certificate-credential.ts';
import type { Identities } from './identity.ts';
import { haveSameSubject, replacementFor } from './relink.ts';
import { openCredential, type StoredCredential, sealCredential } from './stored-credential.ts';

/** Each try starts from what another writer has just committed. */
const TRIES = 5;

export interface RegistrationDependencies {
  readonly store: Pick<Store, 'accountLinks'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly identities: Identities;
}

/** What people say about a link; what is absent stays as it is. */
export type LinkLabels = Pick<
  LinkDraft,
  'displayLabel' | 'certName' | 'bizNumber' | 'businessName'
>;

/** A credential to be kept for an organization. */
export interface Registration {
  readonly organizationId: number;
  readonly actor: Actor;
  /** The one asked for first, then those that a certificate fans out to. */
  readonly providers: readonly [string, ...string[]];
  readonly presented: Presented;
  /** Of the link whose credential is replaced, where the credential itself does not tell. */
  readonly identity?: string;
  readonly labels: LinkLabels;
  /** Of the link at each provider. */
  readonly purposeAt: (provider: string) => LinkPurpose;
  readonly isPrimary: boolean;
  /** Another password for the same id may replace the stored one. */
  readonly confirm: boolean;
}

export interface Registered {
  readonly link: AccountLink;
  readonly fanOut: readonly AccountLink[];
  /** The identity had no link at this provider before. */
  readonly isNew: boolean;
  /** The stored credential was replaced. */
  readonly changed: boolean;
}

/**
 * Keeps a credential as one link per provider, completely or not at all; registering the
 * same identity again changes the existing link.
 * @throws ServiceError CREDENTIAL_CONFIRM_REQUIRED; ACCOUNT_LINK_NOT_FOUND when the link to renew is gone
 */
export async function registerLink(
  dependencies: RegistrationDependencies,
  registration: Registration,
): Promise<Registered> {
  const { organizationId, providers, actor } = registration;
  const [identity, ...former] = await identitiesOf(dependencies, registration);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const existing = await existingLinks(dependencies, registration, [identity, ...former]);
    assertStillThere(registration, existing);
    const drafts = await Promise.all(
      providers.map((provider) =>
        draftFor(dependencies.vault, registration, identity, provider, existing.get(provider)),
      ),
    );
    const saved = await dependencies.store.accountLinks.save({
      organizationId,
      drafts: drafts.filter((draft) => draft !== null),
      actor,
    });
    if (saved === null) continue;
    const [link, ...fanOut] = providers.flatMap(
      (provider) =>
        saved.find((each) => each.provider === provider) ?? existing.get(provider) ?? [],
    );
    if (link === undefined) throw new Error('a saved link is missing');
    const changed = drafts[0]?.credential instanceof Uint8Array;
    return { link, fanOut, isNew: !existing.has(link.provider), changed };
  }
  throw new ServiceError('SERVICE_UNAVAILABLE');
}

/** A consent that renews a link makes no new one: it may have been unlinked while the institution was asked. */
function assertStillThere(
  { identity, providers }: Registration,
  existing: ReadonlyMap<string, ExistingLink>,
): void {
  if (identity === undefined || providers.some((provider) => existing.has(provider))) return;
  throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
}

/** The hash of the identity, then the one of links that an earlier version stored. */
async function identitiesOf(
  { identities }: RegistrationDependencies,
  registration: Registration,
): Promise<[string, ...string[]]> {
  if (registration.identity !== undefined) return [registration.identity];
  const { organizationId, presented } = registration;
  const { identity, formerIdentity } = presented;
  const hash = await identities.hash(organizationId, identity);
  return formerIdentity ? [hash, await identities.hash(organizationId, formerIdentity)] : [hash];
}

interface ExistingLink extends StoredLink {
  readonly opened: StoredCredential;
}

/** The link of the identity at each provider. */
async function existingLinks(
  { store, vault }: RegistrationDependencies,
  { organizationId, providers, presented, purposeAt }: Registration,
  identities: readonly [string, ...string[]],
): Promise<ReadonlyMap<string, ExistingLink>> {
  const stored = await store.accountLinks.matching({ organizationId, providers, identities });
  const existing = new Map<string, ExistingLink>();
  for (const link of stored) {
    if (link.purpose !== purposeAt(link.provider)) continue;
    const opened = await openCredential(vault, organizationId, link.id, link.credential);
    const isSame =
      link.identity === identities[0] ||
      (!existing.has(link.provider) && haveSameSubject(opened, presented.credential));
    if (isSame) existing.set(link.provider, { ...link, opened });
  }
  return existing;
}

/** What becomes of one provider's link; null when nothing does. */
async function draftFor(
  vault: RegistrationDependencies['vault'],
  registration: Registration,
  identity: string,
  provider: string,
  existing: ExistingLink | undefined,
): Promise<LinkDraft | null> {
  const { organizationId, presented, isPrimary, confirm, providers } = registration;
  const isSibling = provider !== providers[0];
  const id = existing?.id ?? randomUUID();
  const replacement = existing
    ? replacementFor(
        { credential: existing.opened, status: existing.status },
        presented.credential,
        confirm,
      )
    : presented.credential;
  const certificate = factsOf(presented, existing);
  // The caller may have named it for a certificate that does not say whose it is.
  const oid = certificate?.oid;
  const facts = {
    ...newLabels(registration.labels, existing, isSibling),
    ...(existing && oid && oid !== existing.certificate?.oid ? { certOid: oid } : {}),
  };
  const primary = isSibling ? 'if_none' : 'set';
  const draft: LinkDraft = {
    id,
    provider,
    purpose: registration.purposeAt(provider),
    revision: existing?.revision ?? null,
    authType: presented.credential.type,
    identity,
    credential: replacement && (await sealCredential(vault, organizationId, id, replacement)),
    certificate,
    ownerKind: ownerOfPolicy(oid ?? null),
    ...facts,
    primary: isPrimary && !existing?.isPrimary ? primary : 'keep',
  };
  const isKnown = replacement === null && Object.keys(facts).length === 0;
  return isKnown && draft.primary === 'keep' ? null : draft;
}

/** A policy that the caller named stays with the certificate that it was named for. */
function factsOf(
  { certificate }: Presented,
  existing: ExistingLink | undefined,
): CertificateFacts | null {
  if (certificate === null) return null;
  const known = existing?.certificate?.serial === certificate.serial ? existing.certificate : null;
  return { ...certificate, oid: certificate.oid ?? known?.oid ?? null };
}

/** What the link does not say yet. A link at another provider keeps what it says. */
function newLabels(
  labels: LinkLabels,
  existing: ExistingLink | undefined,
  isSibling: boolean,
): LinkLabels {
  if (existing === undefined) return labels;
  const { displayLabel, certName, bizNumber, businessName } = labels;
  const isNew = (name: keyof LinkLabels) =>
    labels[name] !== existing[name] && (existing[name] === null || !isSibling);
  return {
    ...(displayLabel !== undefined && isNew('displayLabel') ? { displayLabel } : {}),
    ...(certName !== undefined && isNew('certName') ? { certName } : {}),
    ...(bizNumber !== undefined && isNew('bizNumber') ? { bizNumber } : {}),
    ...(businessName !== undefined && isNew('businessName') ? { businessName } : {}),
  };
}
