import type { EnvScope } from '@changgu/contract';
import type { RevokedReason } from '@changgu/contract/schemas';
import type { Generated } from 'kysely';
import type { IntegrationProfile } from '../../rules/principals/principal.ts';

/** Programs' keys. Only their SHA-256 hashes are stored. */
export interface ClientTables {
  app_credentials: {
    /** `cli_` and a ULID, so that ids order by age. */
    client_id: string;
    organization_id: number;
    label: string;
    secret_hash: string;
    /** JSON array of environments. */
    allowed_env_scopes: string;
    integration_profile: IntegrationProfile;
    read_only: number;
    /** JSON array of patterns; null for every action. */
    allowed_actions: string | null;
    allow_irreversible_tools: number;
    manage_webhooks: Generated<number>;
    created_at: number;
    /** Kind and id of who issued it. */
    created_by: string;
    /** Since when an operator has disabled it. */
    disabled_at: number | null;
    revoked_at: number | null;
    revoked_reason: RevokedReason | null;
    expires_at: number | null;
    /** JSON array of addresses and ranges; null for any. */
    allowed_addresses: string | null;
    /** The secret before the last rotation, and when it expires. */
    previous_secret_hash: string | null;
    previous_secret_until: number | null;
    /** Written at most once a day. */
    last_used_at: number | null;
    last_used_address: string | null;
  };
  /** The addresses from which each key was used, in the form in which limits count them. */
  app_credential_addresses: {
    /** Of an app credential or a legacy key. */
    client_id: string;
    address: string;
    at: number;
  };
  legacy_api_keys: {
    /** `lak_` and a ULID. */
    id: string;
    organization_id: number;
    env_scope: EnvScope;
    label: string;
    key_hash: string;
    created_at: number;
    created_by: string;
    /** Since when an operator has disabled it. */
    disabled_at: number | null;
    revoked_at: number | null;
    expires_at: number | null;
    /** JSON array of addresses and ranges; null for any. */
    allowed_addresses: string | null;
    /** The key before the last rotation, and when it expires. */
    previous_key_hash: string | null;
    previous_key_until: number | null;
    /** Written at most once a day. */
    last_used_at: number | null;
    last_used_address: string | null;
  };
}
