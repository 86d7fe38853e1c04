/** Login sessions at the institutions. */
export interface PortalSessionTables {
  portal_sessions: {
    account_link_id: string;
    env_scope: 'real_test' | 'production';
    organization_id: number;
    /** Sealed. */
    state: Uint8Array;
    /** Business time. */
    last_used_at: number;
  };
}
