import type { Generated } from 'kysely';

export type LinkStatus = 'ACTIVE' | 'SUSPENDED' | 'UNLINKED';

/** Linked accounts and the bank accounts below them, less their sealed credentials. */
export interface AccountLinkTables {
  account_links: {
    /** Order of registration: "most recently registered" goes by it, never by a time (D128). */
    seq: Generated<number>;
    /** UUID v4. */
    id: string;
    organization_id: number;
    provider: string;
    auth_type: 'certificate' | 'id_password' | 'consent';
    display_label: string | null;
    /** At most one per organization and provider (D102). */
    is_primary: number;
    status: LinkStatus;
    /** Set with SUSPENDED: the code that later jobs fail with at once (D51). */
    suspended_code: string | null;
    registered_at: number;
    unlinked_at: number | null;
    unlink_reason: 'user_request' | 'admin_action' | 'security_incident' | null;
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
  };
}
