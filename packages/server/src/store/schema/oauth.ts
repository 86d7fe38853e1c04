import type { Generated } from 'kysely';

/** The authorization server. Times are real: tokens do not follow the test clock. */
export interface OAuthTables {
  /** Clients registered by an operator or by themselves; metadata documents of clients are not stored. */
  oauth_clients: {
    client_id: string;
    name: string;
    origin: 'operator' | 'registered';
    may_introspect: Generated<number>;
    /** Resource servers: the address for which tokens are requested. */
    resource: Generated<string | null>;
    /** Sealed. */
    metadata: Uint8Array;
    created_at: number;
  };
  /** A person's approval of a client. */
  oauth_grants: {
    /** `oag_` and a ULID, so that ids order by age. */
    id: string;
    organization_id: number;
    user_id: number;
    client_id: string;
    client_name: string;
    redirect_host: string | null;
    /** JSON arrays. */
    scopes: string;
    env_scopes: string;
    allowed_actions: string | null;
    created_at: number;
    expires_at: number;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  /** Codes, tokens, interactions, identified by the hash of the client's value. */
  oauth_artifacts: {
    kind: string;
    id_hash: string;
    uid_hash: string | null;
    user_code_hash: string | null;
    grant_id: string | null;
    /** Sealed. */
    payload: Uint8Array;
    expires_at: number;
    consumed_at: number | null;
  };
}
