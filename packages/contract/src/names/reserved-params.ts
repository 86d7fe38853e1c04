/**
 * Arguments of tools beside the action's params, at the service or at the bridge: no param may have such a name, or
 * one of the two would be lost.
 */
export const RESERVED_PARAMS = [
  'account_link_id',
  'all_accounts',
  'bank_account_credential_ids',
  'confirm_token',
  'encrypted_fields',
  'request_id',
  'view',
  'wait_seconds',
] as const;

/** A name that no param may have. */
export type ReservedParam = (typeof RESERVED_PARAMS)[number];
