import type { AuditAct } from '@changgu/contract';
import type { LinkPurpose, LinkType } from '@changgu/contract/schemas';
import type { OwnerKind } from '../../rules/links/owner-kind.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { COLUMNS } from '../schema/columns.ts';
import { recordAct } from '../transactions/audit.ts';
import type { Transaction } from '../transactions/script.ts';
import {
  type AccountLink,
  type CertificateFacts,
  dropSessions,
  type LinkRow,
  linkOf,
  lockLinks,
  requireLink,
} from './link-rows.ts';

/** The desired state of a link. Absent properties stay unchanged. */
export interface LinkDraft {
  readonly id: string;
  readonly provider: string;
  /** Permanent: another purpose makes another link. */
  readonly purpose: LinkPurpose;
  /** The revision of the credential on which the decision was based; null for a new link. */
  readonly revision: number | null;
  readonly authType: LinkType;
  readonly identity: string;
  /** Sealed; null keeps the stored one. */
  readonly credential: Uint8Array | null;
  readonly certificate: CertificateFacts | null;
  readonly ownerKind: OwnerKind | null;
  readonly displayLabel?: string;
  readonly certName?: string;
  /** The policy of a certificate that is kept. */
  readonly certOid?: string;
  readonly bizNumber?: string;
  readonly businessName?: string;
  /** `if_none`: only if the provider has no primary yet. */
  readonly primary: 'set' | 'if_none' | 'keep';
}

export interface SaveLinks {
  readonly organizationId: number;
  readonly drafts: readonly LinkDraft[];
  readonly actor: Actor;
}

/**
 * Writes all drafts or none: null when the credential on which one was based is another by now. Replacing a
 * credential lifts a suspension.
 */
export async function saveLinks(tx: Transaction, input: SaveLinks): Promise<AccountLink[] | null> {
  const { organizationId, drafts } = input;
  await lockLinks(tx, organizationId);
  for (const draft of drafts) {
    if (!(await stillHolds(tx, organizationId, draft))) return null;
  }
  const saved: AccountLink[] = [];
  for (const draft of drafts) saved.push(await saveDraft(tx, input, draft));
  return saved;
}

/** Whether a draft's link is as it was read, and no other one has its identity by now. */
async function stillHolds(
  tx: Transaction,
  organizationId: number,
  { id, provider, purpose, identity, revision }: LinkDraft,
): Promise<boolean> {
  const rows = await tx.db
    .selectFrom('account_links')
    .select(['id', 'revision'])
    .where('organization_id', '=', organizationId)
    .where('provider', '=', provider)
    .where('purpose', '=', purpose)
    .where('status', '<>', 'UNLINKED')
    // The link itself may have a former identity.
    .where((eb) => eb.or([eb('identity', '=', identity), eb('id', '=', id)]))
    .execute();
  return revision === null
    ? rows.length === 0
    : rows.length === 1 && rows[0]?.id === id && rows[0].revision === revision;
}

async function saveDraft(
  tx: Transaction,
  { organizationId, actor }: SaveLinks,
  draft: LinkDraft,
): Promise<AccountLink> {
  const isPrimary = await makeRoomForPrimary(tx, organizationId, draft);
  const facts = { ...saidColumns(draft), ...(isPrimary ? { is_primary: 1 } : {}) };
  const credential = credentialColumns(draft);
  if (draft.revision === null) {
    const row = await tx.db
      .insertInto('account_links')
      .values({
        id: draft.id,
        organization_id: organizationId,
        provider: draft.provider,
        auth_type: draft.authType,
        purpose: draft.purpose,
        identity: draft.identity,
        is_primary: Number(isPrimary),
        status: 'ACTIVE',
        registered_at: tx.clock,
        registered_by: `${actor.kind}:${actor.id}`,
        ...facts,
        ...credential,
      })
      .returning(COLUMNS.account_links)
      .executeTakeFirstOrThrow();
    await recordLink(tx, actor, row, 'account_link.link');
    return linkOf(row);
  }
  // There was a primary one already.
  if (credential === null && Object.keys(facts).length === 0) {
    return linkOf(await requireLink(tx, draft.id, organizationId));
  }
  const row = await tx.db
    .updateTable('account_links')
    .set({
      identity: draft.identity,
      ...facts,
      ...(credential && { ...credential, revision: draft.revision + 1 }),
    })
    .where('id', '=', draft.id)
    .returning(COLUMNS.account_links)
    .executeTakeFirstOrThrow();
  if (credential) await dropSessions(tx, draft.id);
  await recordLink(tx, actor, row, credential ? 'account_link.replace' : 'account_link.update');
  return linkOf(row);
}

function saidColumns(draft: LinkDraft) {
  return {
    ...(draft.displayLabel === undefined ? {} : { display_label: draft.displayLabel }),
    ...(draft.certName === undefined ? {} : { cert_name: draft.certName }),
    ...(draft.certOid === undefined
      ? {}
      : { cert_oid: draft.certOid, owner_kind: draft.ownerKind }),
    ...(draft.bizNumber === undefined ? {} : { biz_number: draft.bizNumber }),
    ...(draft.businessName === undefined ? {} : { business_name: draft.businessName }),
  };
}

function credentialColumns({ credential, certificate, ownerKind }: LinkDraft) {
  return (
    credential && {
      credential,
      cert_subject_cn: certificate?.subjectCn ?? null,
      cert_issuer: certificate?.issuer ?? null,
      cert_serial: certificate?.serial ?? null,
      cert_not_after: certificate?.notAfter ?? null,
      cert_oid: certificate?.oid ?? null,
      owner_kind: ownerKind,
      status: 'ACTIVE' as const,
      suspended_code: null,
    }
  );
}

/** Demotes the old primary if the draft replaces it. */
async function makeRoomForPrimary(
  tx: Transaction,
  organizationId: number,
  { provider, purpose, primary, id }: LinkDraft,
): Promise<boolean> {
  if (primary === 'keep') return false;
  const current = await tx.db
    .selectFrom('account_links')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('provider', '=', provider)
    .where('purpose', '=', purpose)
    .where('is_primary', '=', 1)
    .executeTakeFirst();
  if (current === undefined) return true;
  if (primary === 'if_none') return false;
  if (current.id !== id) {
    await tx.db
      .updateTable('account_links')
      .set({ is_primary: 0 })
      .where('id', '=', current.id)
      .execute();
  }
  return true;
}

export async function recordLink(
  tx: Transaction,
  actor: Actor,
  row: LinkRow,
  act: AuditAct,
): Promise<void> {
  await recordAct(tx, actor, {
    organizationId: row.organization_id,
    act,
    target: row.id,
    details: { provider: row.provider, auth_type: row.auth_type },
  });
}
