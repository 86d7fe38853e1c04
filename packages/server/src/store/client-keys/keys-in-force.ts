import type { Selectable } from 'kysely';
import type { ClientPrincipal } from '../../rules/principals/principal.ts';
import type { Database } from '../schema/tables.ts';
import { compiled, onRows, type SlotOf } from '../transactions/compiled.ts';
import { lookup } from '../transactions/script.ts';

type Row = Selectable<Database['app_credentials']>;

/** The fields of a key that authentication needs. */
export interface KeyInForce {
  readonly principal: ClientPrincipal;
  readonly secretHash: string;
  readonly previousSecretHash: string | null;
  readonly allowedAddresses: readonly string[] | null;
}

/** Client keys, as every request with one asks for them. */
export const keyInForceScripts = {
  /** Null when the key does not exist, or is revoked or expired. */
  verify: lookup((tx, clientId: string) =>
    onRows(inForce(tx, { clientId }), ([row]): KeyInForce | null => {
      if (row === undefined || (row.expires_at !== null && row.expires_at <= row.now)) return null;
      return {
        principal: principalOf(row),
        secretHash: row.secret_hash,
        previousSecretHash:
          (row.previous_secret_until ?? 0) > row.now ? row.previous_secret_hash : null,
        allowedAddresses: addressesOf(row),
      };
    }),
  ),
};

const KEY_COLUMNS = [
  'client_id',
  'organization_id',
  'allowed_env_scopes',
  'integration_profile',
  'read_only',
  'allowed_actions',
  'allow_irreversible_tools',
  'manage_webhooks',
  'allowed_addresses',
  'secret_hash',
  'previous_secret_hash',
  'previous_secret_until',
  'expires_at',
] as const;

/** Used by every request, so it is built once. */
const inForce = compiled((tx, slot: SlotOf<{ clientId: string }>) =>
  tx.db
    .selectFrom('app_credentials')
    .innerJoin('organizations', 'organizations.id', 'app_credentials.organization_id')
    .select(KEY_COLUMNS)
    .select(tx.clock.as('now'))
    .where('client_id', '=', slot('clientId'))
    .where('revoked_at', 'is', null)
    .where('app_credentials.disabled_at', 'is', null)
    .where('organizations.disabled_at', 'is', null)
    .where('organizations.deleted_at', 'is', null),
);

export function principalOf(row: Pick<Row, (typeof KEY_COLUMNS)[number]>): ClientPrincipal {
  return {
    kind: 'client',
    id: row.client_id,
    organizationId: row.organization_id,
    allowedEnvScopes: JSON.parse(row.allowed_env_scopes),
    integrationProfile: row.integration_profile,
    readOnly: row.read_only === 1,
    allowedActions: row.allowed_actions === null ? null : JSON.parse(row.allowed_actions),
    allowIrreversibleTools: row.allow_irreversible_tools === 1,
    manageWebhooks: row.manage_webhooks === 1,
    scopes: null,
  };
}

export function addressesOf({
  allowed_addresses: json,
}: Pick<Row, 'allowed_addresses'>): readonly string[] | null {
  return json === null ? null : JSON.parse(json);
}
