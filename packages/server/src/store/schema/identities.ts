/** Login at identity providers. Times are real. */
export interface IdentityTables {
  /** Whose addresses a provider may vouch for, by organization. */
  login_domains: {
    organization_id: number;
    /** Its name in the configuration. */
    provider: string;
    /** Lower case. */
    domain: string;
    created_at: number;
  };
  /** Who a user is at a provider, pinned at the first login: an address may change hands, this does not. */
  identities: {
    user_id: number;
    provider: string;
    issuer: string;
    subject: string;
    created_at: number;
    last_login_at: number;
  };
  /** Logins under way. */
  sign_in_attempts: {
    /** SHA-256 of what the cookie holds. */
    id_hash: string;
    /** Sealed. */
    payload: Uint8Array;
    expires_at: number;
  };
  /** Beside the console session that a provider vouches for. */
  vouched_sessions: {
    session_id: string;
    user_id: number;
    /** The session at the provider, where it names one. */
    provider_sid: string | null;
    /** Sealed. */
    tokens: Uint8Array;
    next_check_at: number;
  };
}
