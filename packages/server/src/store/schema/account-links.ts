import type { UnlinkReason } from '@changgu/contract';
import type { LinkPurpose, LinkStatus, LinkType } from '@changgu/contract/schemas';
import type { Generated } from 'kysely';
import type { OwnerKind } from '../../rules/links/owner-kind.ts';

/** Links and their bank accounts. Secrets are sealed. */
export interface AccountLinkTables {
  account_links: {
    /** Order of registration, which decides "most recently registered" independently of clocks. */
    seq: Generated<number>;
    /** UUID v4. */
    id: string;
    organization_id: number;
    provider: string;
    auth_type: LinkType;
    display_label: string | null;
    /** At most one per organization, provider and purpose. */
    is_primary: number;
    /** The purpose of its credential, which never changes; null only between an upgrade and the server's start. */
    purpose: LinkPurpose | null;
    status: LinkStatus;
    /** Set with SUSPENDED: the code with which later jobs fail at once. */
    suspended_code: string | null;
    registered_at: number;
    unlinked_at: number | null;
    unlink_reason: UnlinkReason | null;
    /** Keyed hash of the identity: the same identity is the same link. Null once unlinked. */
    identity: string | null;
    /** Sealed StoredCredential; null once unlinked. */
    credential: Uint8Array | null;
    registered_by: string | null;
    /** Alias that the client gave. */
    cert_name: string | null;
    cert_subject_cn: string | null;
    cert_issuer: string | null;
    cert_serial: string | null;
    cert_not_after: number | null;
    cert_oid: string | null;
    /** The holder of the certificate, if it says so. */
    owner_kind: OwnerKind | null;
    biz_number: string | null;
    business_name: string | null;
    /** JSON object; null when nothing is selected. */
    selected_assets: string | null;
    /** When its next job may start: after a login answer that was not understood, or a portal's Retry-After. */
    login_not_before: number | null;
    /** Counts replaced credentials and nothing else: what is decided about one is void for the next. */
    revision: Generated<number>;
  };
  /** Consent flows in progress; a row is deleted when its state is used. */
  consent_states: {
    state_hash: string;
    organization_id: number;
    /** Kind and id of the principal that began it; only that principal may use the state. */
    created_by: string;
    provider: string;
    /** JSON array. */
    features: string;
    /** Null: begun by an older program. */
    purpose: LinkPurpose | null;
    /** The link whose consent is renewed; null for a new link. */
    account_link_id: string | null;
    created_at: number;
    expires_at: number;
  };
  bank_accounts: {
    seq: Generated<number>;
    /** UUID v4. */
    id: string;
    account_link_id: string;
    organization_id: number;
    provider: string;
    masked_account_no: string;
    status: LinkStatus;
    suspended_code: string | null;
    /** At most one per link. */
    is_default: number;
    registered_at: number;
    unlinked_at: number | null;
    /** Keyed hash of the account number. Null once unlinked. */
    identity: string | null;
    /** Sealed StoredBankAccount; null once unlinked. */
    credential: Uint8Array | null;
    /** Counts replaced passwords and nothing else. */
    revision: Generated<number>;
  };
}
