import type { Generated } from 'kysely';
import type { LinkStatus } from '../../rules/links/choose-link.ts';

/** Linked accounts and the bank accounts below them. Secrets only sealed. */
export interface AccountLinkTables {
  account_links: {
    /** Order of registration: "most recently registered" goes by it, never by a time. */
    seq: Generated<number>;
    /** UUID v4. */
    id: string;
    organization_id: number;
    provider: string;
    auth_type: 'certificate' | 'id_password' | 'consent';
    display_label: string | null;
    /** At most one per organization and provider. */
    is_primary: number;
    /** What its credential is, for good; null only between an upgrade and the server's start. */
    purpose: 'real' | 'test' | null;
    status: LinkStatus;
    /** Set with SUSPENDED: the code that later jobs fail with at once. */
    suspended_code: string | null;
    registered_at: number;
    unlinked_at: number | null;
    unlink_reason: 'user_request' | 'admin_action' | 'security_incident' | null;
    /** Keyed hash of whom it stands for: the same again is the same link. Null once unlinked. */
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
    /** Whom the certificate was issued to, where it says so. */
    owner_kind: 'business' | 'individual' | null;
    biz_number: string | null;
    business_name: string | null;
    /** JSON object; null when nothing is selected. */
    selected_assets: string | null;
    /** After an answer to a login that was not understood: when the next job may log in. */
    login_not_before: number | null;
    /** Counts the replacements of the credential: a reader's decision holds only for what it read. */
    revision: Generated<number>;
  };
  /** Consent flows under way; a row goes when its state is used. */
  consent_states: {
    state_hash: string;
    organization_id: number;
    /** Kind and id of the principal that began it; only that principal may use the state. */
    created_by: string;
    provider: string;
    /** JSON array. */
    features: string;
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
  };
}
