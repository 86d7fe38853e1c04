import type {
  AccountLinkListResponse,
  AccountLinkRecord,
  LinkCertificate,
} from '@changgu/contract/schemas';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { Store } from '../store/database.ts';
import type { AccountLink, CertificateFacts } from '../store/links/link-rows.ts';
import type { LinkReach } from './link-reach.ts';

type LinkStore = Pick<Store, 'accountLinks'>;

/** Links in force, newest first. */
export async function listAccountLinks(
  { accountLinks }: LinkStore,
  organizationId: number,
  provider: string | undefined,
  reach: Pick<LinkReach, 'sees'>,
): Promise<AccountLinkListResponse> {
  const links = await accountLinks.list({ organizationId, provider: provider ?? null });
  return { items: links.filter(reach.sees).map(toRecord) };
}

/** @throws ServiceError ACCOUNT_LINK_NOT_FOUND */
export async function readAccountLink(
  { accountLinks }: LinkStore,
  id: string,
  organizationId: number | null,
): Promise<AccountLinkRecord> {
  return toRecord(await accountLinks.find({ id, organizationId }));
}

export function toCertificate(facts: CertificateFacts | null): LinkCertificate | null {
  return (
    facts && {
      subject_cn: facts.subjectCn,
      issuer: facts.issuer,
      serial: facts.serial,
      not_after: kstTime(facts.notAfter),
      oid: facts.oid,
    }
  );
}

function toRecord(link: AccountLink): AccountLinkRecord {
  return {
    account_link_id: link.id,
    provider: link.provider,
    auth_type: link.authType,
    display_label: link.displayLabel,
    is_primary: link.isPrimary,
    purpose: link.purpose,
    status: link.status,
    cert: toCertificate(link.certificate),
    biz_number: link.bizNumber,
    business_name: link.businessName,
    selected_assets: link.selectedAssets,
    registered_at: kstTime(link.registeredAt),
    unlinked_at: kstTimeOrNull(link.unlinkedAt),
    unlink_reason: link.unlinkReason,
  };
}
