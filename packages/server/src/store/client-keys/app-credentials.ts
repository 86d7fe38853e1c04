import type { EnvScope } from '@changgu/contract';
import type { RevokedReason } from '@changgu/contract/schemas';
import { type Selectable, sql } from 'kysely';
import { hasPaidPlan, hasRealTest } from '../../rules/organizations/policy.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { acceptEnvScopes } from '../../rules/principals/issued-scopes.ts';
import type { ClientPrincipal, IntegrationProfile } from '../../rules/principals/principal.ts';
import { invalidValue, ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import { addressesOf, principalOf } from './keys-in-force.ts';

/** Maximum number of active keys per organization. */
const MAX_ACTIVE = 20;

/** A key as its owner sees it. */
export interface AppCredential extends Omit<ClientPrincipal, 'kind' | 'scopes'> {
  readonly label: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly revokedReason: RevokedReason | null;
  readonly expiresAt: number | null;
  readonly expired: boolean;
  /** Null: any address. */
  readonly allowedAddresses: readonly string[] | null;
  /** When the secret before the last rotation expires; null when there is none. */
  readonly previousSecretUntil: number | null;
  readonly lastUsedAt: number | null;
  readonly lastUsedAddress: string | null;
}

export interface NewAppCredential {
  readonly clientId: string;
  readonly secretHash: string;
  readonly organizationId: number;
  readonly label: string;
  /** Null for sandbox only. */
  readonly envScopes: readonly EnvScope[] | null;
  readonly integrationProfile: IntegrationProfile;
  readonly readOnly: boolean;
  readonly allowedActions: readonly string[] | null;
  readonly allowIrreversibleTools: boolean;
  readonly manageWebhooks?: boolean;
  /** Null or omitted: never. */
  readonly expiresAt?: number | null;
  /** Null or omitted: any address. */
  readonly allowedAddresses?: readonly string[] | null;
}

interface Rotation {
  readonly clientId: string;
  /** Null matches any organization. */
  readonly organizationId: number | null;
  readonly secretHash: string;
  /** How long the old secret stays valid. */
  readonly overlapMs: number;
  readonly actor: Actor;
}

interface Revocation {
  readonly clientId: string;
  /** Null matches any organization (an admin without X-Organization-Id). */
  readonly organizationId: number | null;
  readonly reason: RevokedReason;
  readonly actor: Actor;
}

/** Client keys, as their owners manage them. */
export const appCredentialScripts = {
  /** @throws ServiceError POLICY_PAID_REQUIRED, POLICY_ENV_NOT_APPROVED, POLICY_LIMIT_REACHED, RESOURCE_NOT_FOUND */
  issue: write(
    async (tx, input: NewAppCredential & { readonly actor: Actor }): Promise<AppCredential> =>
      insertAppCredential(tx, input, input.actor),
  ),

  /** Newest first, including revoked ones. */
  list: read(async (tx, organizationId: number): Promise<AppCredential[]> => {
    const rows = await tx.db
      .selectFrom('app_credentials')
      .select(COLUMNS.app_credentials)
      .select(tx.clock.as('now'))
      .where('organization_id', '=', organizationId)
      .orderBy('client_id', 'desc')
      .execute();
    return rows.map(credentialOf);
  }),

  /**
   * Gives the key a new secret. The previous one stays valid for a while; the one before that ends.
   * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE for a key that is revoked or expired
   */
  rotate: write(async (tx, input: Rotation): Promise<AppCredential> => rotateSecret(tx, input)),

  /**
   * Revokes at once; revoking a revoked key changes nothing.
   * @throws ServiceError RESOURCE_NOT_FOUND
   */
  revoke: write(
    async (tx, input: Revocation): Promise<AppCredential> => revokeAppCredential(tx, input),
  ),
};

function isUnexpired(tx: Transaction) {
  return sql<boolean>`(expires_at is null or expires_at > ${tx.clock})`;
}

/** Issues a key within another script's transaction. */
export async function insertAppCredential(
  tx: Transaction,
  input: NewAppCredential,
  actor: Actor,
): Promise<AppCredential> {
  await tx.dialect.lock(tx, `app-credentials:${input.organizationId}`);
  await assertStands(tx, actor);
  const organization = await requireOrganization(tx, input.organizationId);
  const now = await tx.now();
  const { expiresAt = null, allowedAddresses = null } = input;
  if (expiresAt !== null && expiresAt <= now) throw expiresBeforeNow();
  const envScopes = acceptEnvScopes(input.envScopes, {
    paid: hasPaidPlan(organization),
    realTestApproved: hasRealTest(organization, now),
  });
  const { active } = await tx.db
    .selectFrom('app_credentials')
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('organization_id', '=', input.organizationId)
    .where('revoked_at', 'is', null)
    .where(isUnexpired(tx))
    .executeTakeFirstOrThrow();
  if (active >= MAX_ACTIVE) throw new ServiceError('POLICY_LIMIT_REACHED');
  const row = await tx.db
    .insertInto('app_credentials')
    .values({
      client_id: input.clientId,
      organization_id: input.organizationId,
      label: input.label,
      secret_hash: input.secretHash,
      allowed_env_scopes: JSON.stringify(envScopes),
      integration_profile: input.integrationProfile,
      read_only: Number(input.readOnly),
      allowed_actions: input.allowedActions && JSON.stringify(input.allowedActions),
      allow_irreversible_tools: Number(input.allowIrreversibleTools),
      manage_webhooks: Number(input.manageWebhooks ?? false),
      expires_at: expiresAt,
      allowed_addresses: allowedAddresses && JSON.stringify(allowedAddresses),
      created_at: now,
      created_by: `${actor.kind}:${actor.id}`,
    })
    .returning(COLUMNS.app_credentials)
    .executeTakeFirstOrThrow();
  await recordAct(tx, actor, {
    organizationId: input.organizationId,
    act: 'app_credential.issue',
    target: input.clientId,
    details: { profile: input.integrationProfile, env_scopes: envScopes.join(' ') },
  });
  return credentialOf({ ...row, now });
}

/** 400: a key is never issued that has expired already. */
export function expiresBeforeNow(): ServiceError {
  const msg = 'The time must be in the future';
  return invalidValue([{ loc: ['body', 'expires_at'], msg, type: 'value_error' }]);
}

async function rotateSecret(
  tx: Transaction,
  { clientId, organizationId, secretHash, overlapMs, actor }: Rotation,
): Promise<AppCredential> {
  const before = await requireAppCredential(tx, clientId, organizationId);
  await tx.dialect.lock(tx, `app-credentials:${before.organizationId}`);
  await assertStands(tx, actor);
  if (before.revokedAt !== null || before.expired) throw new ServiceError('CONFLICT_STATE');
  const now = await tx.now();
  const row = await tx.db
    .updateTable('app_credentials')
    .set((eb) => ({
      previous_secret_hash: overlapMs === 0 ? null : eb.ref('secret_hash'),
      previous_secret_until: overlapMs === 0 ? null : now + overlapMs,
      secret_hash: secretHash,
    }))
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .returning(COLUMNS.app_credentials)
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('CONFLICT_STATE');
  await recordAct(tx, actor, {
    organizationId: row.organization_id,
    act: 'app_credential.rotate',
    target: clientId,
    details: { overlap_seconds: overlapMs / 1_000 },
  });
  return credentialOf({ ...row, now });
}

/** Revokes a key inside a transaction of another script. @throws ServiceError RESOURCE_NOT_FOUND */
export async function revokeAppCredential(
  tx: Transaction,
  { clientId, organizationId, reason, actor }: Revocation,
): Promise<AppCredential> {
  let query = tx.db
    .updateTable('app_credentials')
    .set({ revoked_at: tx.clock, revoked_reason: reason })
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .returning(COLUMNS.app_credentials)
    .returning(tx.clock.as('now'));
  if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
  const revoked = await query.executeTakeFirst();
  if (revoked === undefined) return requireAppCredential(tx, clientId, organizationId);
  await recordAct(tx, actor, {
    organizationId: revoked.organization_id,
    act: 'app_credential.revoke',
    target: clientId,
    details: { reason },
  });
  return credentialOf(revoked);
}

async function requireAppCredential(
  tx: Transaction,
  clientId: string,
  organizationId: number | null,
): Promise<AppCredential> {
  const row = await tx.db
    .selectFrom('app_credentials')
    .select(COLUMNS.app_credentials)
    .select(tx.clock.as('now'))
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (!row || (organizationId !== null && row.organization_id !== organizationId)) {
    throw new ServiceError('RESOURCE_NOT_FOUND');
  }
  return credentialOf(row);
}

type Row = Selectable<Database['app_credentials']>;

function credentialOf(row: Row & { readonly now: number }): AppCredential {
  const { kind: _kind, scopes: _scopes, ...rights } = principalOf(row);
  return {
    ...rights,
    label: row.label,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
    expiresAt: row.expires_at,
    expired: row.expires_at !== null && row.expires_at <= row.now,
    allowedAddresses: addressesOf(row),
    previousSecretUntil:
      (row.previous_secret_until ?? 0) > row.now ? row.previous_secret_until : null,
    lastUsedAt: row.last_used_at,
    lastUsedAddress: row.last_used_address,
  };
}
