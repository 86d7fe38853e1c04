import type { AuditAct, UnlinkReason } from '@changgu/contract';
import type { LinkStatus, LinkType } from '@changgu/contract/schemas';
import type { Selectable } from 'kysely';
import type { LinkPurpose } from '../../rules/links/link-purpose.ts';
import type { OwnerKind } from '../../rules/links/owner-kind.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** Data read from a certificate. */
export interface CertificateFacts {
  readonly subjectCn: string;
  readonly issuer: string;
  readonly serial: string;
  readonly notAfter: number;
  readonly oid: string | null;
}

/** A link as its owner sees it. */
export interface AccountLink {
  readonly id: string;
  readonly organizationId: number;
  readonly provider: string;
  readonly authType: LinkType;
  readonly displayLabel: string | null;
  readonly isPrimary: boolean;
  readonly purpose: LinkPurpose | null;
  readonly status: LinkStatus;
  readonly certificate: CertificateFacts | null;
  readonly bizNumber: string | null;
  readonly businessName: string | null;
  readonly selectedAssets: Readonly<Record<string, unknown>> | null;
  readonly registeredAt: number;
  readonly unlinkedAt: number | null;
  readonly unlinkReason: UnlinkReason | null;
}

/** An active link with its sealed credential. */
export interface StoredLink extends AccountLink {
  readonly identity: string;
  readonly certName: string | null;
  readonly revision: number;
  readonly credential: Uint8Array;
}

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

interface Save {
  readonly organizationId: number;
  readonly drafts: readonly LinkDraft[];
  readonly actor: Actor;
}

interface OfIdentities {
  readonly organizationId: number;
  readonly providers: readonly string[];
  readonly identities: readonly string[];
}

export const accountLinkScripts = {
  /** Active links, newest first. */
  list: read(
    async (
      tx,
      filter: { readonly organizationId: number; readonly provider?: string },
    ): Promise<AccountLink[]> => {
      let query = tx.db
        .selectFrom('account_links')
        .select(COLUMNS.account_links)
        .where('organization_id', '=', filter.organizationId)
        .where('status', '<>', 'UNLINKED')
        .orderBy('seq', 'desc');
      if (filter.provider !== undefined) query = query.where('provider', '=', filter.provider);
      return (await query.execute()).map(linkOf);
    },
  ),

  /** Unlinked ones too. @throws ServiceError ACCOUNT_LINK_NOT_FOUND */
  find: read(
    async (
      tx,
      by: { readonly id: string; readonly organizationId: number | null },
    ): Promise<AccountLink> => linkOf(await requireLink(tx, by.id, by.organizationId)),
  ),

  /** The identity of an active link. @throws ServiceError ACCOUNT_LINK_NOT_FOUND */
  identityOf: read(
    async (tx, by: { readonly id: string; readonly organizationId: number }): Promise<string> => {
      const { identity } = await requireLink(tx, by.id, by.organizationId);
      if (identity === null) throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
      return identity;
    },
  ),

  /** Active links with one of these identities. */
  matching: read(async (tx, by: OfIdentities): Promise<StoredLink[]> => {
    const rows = await tx.db
      .selectFrom('account_links')
      .select(COLUMNS.account_links)
      .where('organization_id', '=', by.organizationId)
      .where('provider', 'in', [...by.providers])
      .where('identity', 'in', [...by.identities])
      .where('status', '<>', 'UNLINKED')
      .execute();
    return rows.flatMap(storedLinkOf);
  }),

  /**
   * Writes all drafts or none: null when the credential on which one was based is another by now. Replacing a
   * credential lifts a suspension.
   */
  save: write(async (tx, input: Save): Promise<AccountLink[] | null> => {
    const { organizationId, drafts } = input;
    await lockLinks(tx, organizationId);
    for (const draft of drafts) {
      if (!(await stillHolds(tx, organizationId, draft))) return null;
    }
    const saved: AccountLink[] = [];
    for (const draft of drafts) saved.push(await saveDraft(tx, input, draft));
    return saved;
  }),

  /**
   * Replaces tokens with renewed ones. False when the stored tokens are different by now: the
   * link was removed, or another run was faster.
   */
  renew: write(
    async (
      tx,
      input: {
        readonly id: string;
        readonly organizationId: number;
        /** Sealed, like those that replace it. */
        readonly from: Uint8Array;
        readonly to: Uint8Array;
        readonly actor: Actor;
      },
    ): Promise<boolean> => {
      const row = await tx.db
        .updateTable('account_links')
        .set({ credential: input.to })
        .where('id', '=', input.id)
        .where('organization_id', '=', input.organizationId)
        .where('credential', '=', input.from)
        .returning(COLUMNS.account_links)
        .executeTakeFirst();
      if (row === undefined) return false;
      await recordLink(tx, input.actor, row, 'account_link.renew');
      return true;
    },
  ),

  /**
   * Gives links created before purposes existed the default of new ones: real if the
   * server has a production address.
   */
  assignPurposes: write(
    async (tx, input: { readonly productionProviders: readonly string[] }): Promise<void> => {
      const unassigned = tx.db.updateTable('account_links').where('purpose', 'is', null);
      if (input.productionProviders.length > 0) {
        await unassigned
          .set({ purpose: 'real' })
          .where('provider', 'in', [...input.productionProviders])
          .execute();
      }
      await unassigned.set({ purpose: 'test' }).execute();
    },
  ),

  /** Replaces the whole selection. @throws ServiceError ACCOUNT_LINK_NOT_FOUND */
  selectAssets: write(
    async (
      tx,
      input: {
        readonly id: string;
        readonly organizationId: number;
        readonly assets: Readonly<Record<string, unknown>> | null;
        readonly actor: Actor;
      },
    ): Promise<void> => {
      const changed = await tx.db
        .updateTable('account_links')
        .set({ selected_assets: input.assets && JSON.stringify(input.assets) })
        .where('id', '=', input.id)
        .where('organization_id', '=', input.organizationId)
        .where('status', '<>', 'UNLINKED')
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'account_link.select_assets',
        target: input.id,
      });
    },
  ),
};

type Row = Selectable<Database['account_links']>;

/** One writer of an organization's links at a time, so identity and primary stay unique without failures. */
export async function lockLinks(tx: Transaction, organizationId: number): Promise<void> {
  await tx.dialect.lock(tx, `account-links:${organizationId}`);
}

/** @throws ServiceError ACCOUNT_LINK_NOT_FOUND, also for another organization's link */
export async function requireLink(
  tx: Transaction,
  id: string,
  organizationId: number | null,
): Promise<Row> {
  const row = await tx.db
    .selectFrom('account_links')
    .select(COLUMNS.account_links)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || (organizationId !== null && row.organization_id !== organizationId)) {
    throw new ServiceError('ACCOUNT_LINK_NOT_FOUND');
  }
  return row;
}

/** Login sessions belong to the credential that opened them. */
export async function dropSessions(tx: Transaction, accountLinkId: string): Promise<void> {
  await tx.db.deleteFrom('portal_sessions').where('account_link_id', '=', accountLinkId).execute();
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
  { organizationId, actor }: Save,
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
    ...(draft.certOid === undefined ? {} : { cert_oid: draft.certOid }),
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

async function recordLink(tx: Transaction, actor: Actor, row: Row, act: AuditAct): Promise<void> {
  await recordAct(tx, actor, {
    organizationId: row.organization_id,
    act,
    target: row.id,
    details: { provider: row.provider, auth_type: row.auth_type },
  });
}

function storedLinkOf(row: Row): StoredLink[] {
  const { identity, cert_name: certName, revision, credential } = row;
  if (identity === null || credential === null) return [];
  return [{ ...linkOf(row), identity, certName, revision, credential }];
}

export function linkOf(row: Row): AccountLink {
  return {
    id: row.id,
    organizationId: row.organization_id,
    provider: row.provider,
    authType: row.auth_type,
    displayLabel: row.display_label,
    isPrimary: row.is_primary === 1,
    purpose: row.purpose,
    status: row.status,
    certificate: certificateOf(row),
    bizNumber: row.biz_number,
    businessName: row.business_name,
    selectedAssets: row.selected_assets === null ? null : JSON.parse(row.selected_assets),
    registeredAt: row.registered_at,
    unlinkedAt: row.unlinked_at,
    unlinkReason: row.unlink_reason,
  };
}

function certificateOf(row: Row): CertificateFacts | null {
  const { cert_subject_cn: subjectCn, cert_issuer: issuer, cert_serial: serial } = row;
  if (subjectCn === null || issuer === null || serial === null || row.cert_not_after === null) {
    return null;
  }
  return { subjectCn, issuer, serial, notAfter: row.cert_not_after, oid: row.cert_oid };
}
