import type { UnlinkReason } from '@changgu/contract';
import type { LinkPurpose, LinkStatus, LinkType } from '@changgu/contract/schemas';
import type { Selectable } from 'kysely';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

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

export type LinkRow = Selectable<Database['account_links']>;

/** One writer of an organization's links at a time, so identity and primary stay unique without failures. */
export async function lockLinks(tx: Transaction, organizationId: number): Promise<void> {
  await tx.dialect.lock(tx, `account-links:${organizationId}`);
}

/** @throws ServiceError ACCOUNT_LINK_NOT_FOUND, also for another organization's link */
export async function requireLink(
  tx: Transaction,
  id: string,
  organizationId: number | null,
): Promise<LinkRow> {
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

export function storedLinkOf(row: LinkRow): StoredLink[] {
  const { identity, cert_name: certName, revision, credential } = row;
  if (identity === null || credential === null) return [];
  return [{ ...linkOf(row), identity, certName, revision, credential }];
}

export function linkOf(row: LinkRow): AccountLink {
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

function certificateOf(row: LinkRow): CertificateFacts | null {
  const { cert_subject_cn: subjectCn, cert_issuer: issuer, cert_serial: serial } = row;
  if (subjectCn === null || issuer === null || serial === null || row.cert_not_after === null) {
    return null;
  }
  return { subjectCn, issuer, serial, notAfter: row.cert_not_after, oid: row.cert_oid };
}
