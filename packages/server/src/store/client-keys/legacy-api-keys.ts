import type { EnvScope } from '@changgu/contract';
import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import type { LegacyKeyPrincipal } from '../../rules/principals/principal.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { expiresBeforeNow } from './app-credentials.ts';

export interface LegacyApiKey {
  readonly id: string;
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly label: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Null: any address. */
  readonly allowedAddresses: readonly string[] | null;
  /** When the key before the last rotation expires; null when there is none. */
  readonly previousKeyUntil: number | null;
  readonly lastUsedAt: number | null;
  readonly lastUsedAddress: string | null;
}

interface NewLegacyApiKey
  extends Pick<
    LegacyApiKey,
    'id' | 'organizationId' | 'envScope' | 'label' | 'expiresAt' | 'allowedAddresses'
  > {
  readonly keyHash: string;
  readonly actor: Actor;
}

interface LegacyKeyInForce {
  readonly principal: LegacyKeyPrincipal;
  readonly allowedAddresses: readonly string[] | null;
}

interface Rotation {
  readonly id: string;
  readonly keyHash: string;
  /** How long the old key stays valid. */
  readonly overlapMs: number;
  readonly actor: Actor;
}

/** x-api-keys, each for one organization and environment. */
export const legacyApiKeyScripts = {
  /** Null when no active key has this hash. The timing of a lookup by hash reveals nothing. */
  verify: read(async (tx, keyHash: string): Promise<LegacyKeyInForce | null> => {
    const row = await tx.db
      .selectFrom('legacy_api_keys')
      .innerJoin('organizations', 'organizations.id', 'legacy_api_keys.organization_id')
      .select(COLUMNS.legacy_api_keys)
      .where(({ or, and, eb }) =>
        or([
          eb('key_hash', '=', keyHash),
          and([eb('previous_key_hash', '=', keyHash), eb('previous_key_until', '>', tx.clock)]),
        ]),
      )
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', tx.clock)]))
      .where('revoked_at', 'is', null)
      .where('legacy_api_keys.disabled_at', 'is', null)
      .where('organizations.disabled_at', 'is', null)
      .where('organizations.deleted_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { id, organizationId, envScope, allowedAddresses } = keyOf({ ...row, now: 0 });
    return {
      principal: { kind: 'legacy_api_key', id, organizationId, envScope },
      allowedAddresses,
    };
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND, 400 for a key that would have expired already */
  issue: write(async (tx, input: NewLegacyApiKey): Promise<LegacyApiKey> => {
    await requireOrganization(tx, input.organizationId);
    const now = await tx.now();
    const { expiresAt, allowedAddresses } = input;
    if (expiresAt !== null && expiresAt <= now) throw expiresBeforeNow();
    const row = await tx.db
      .insertInto('legacy_api_keys')
      .values({
        id: input.id,
        organization_id: input.organizationId,
        env_scope: input.envScope,
        label: input.label,
        key_hash: input.keyHash,
        created_at: now,
        created_by: `${input.actor.kind}:${input.actor.id}`,
        expires_at: expiresAt,
        allowed_addresses: allowedAddresses && JSON.stringify(allowedAddresses),
      })
      .returning(COLUMNS.legacy_api_keys)
      .executeTakeFirstOrThrow();
    await recordAct(tx, input.actor, {
      organizationId: input.organizationId,
      act: 'legacy_api_key.issue',
      target: input.id,
      details: { env_scope: input.envScope },
    });
    return keyOf({ ...row, now });
  }),

  /** Newest first, including revoked ones. */
  list: read(async (tx, organizationId: number): Promise<LegacyApiKey[]> => {
    const rows = await tx.db
      .selectFrom('legacy_api_keys')
      .select(COLUMNS.legacy_api_keys)
      .select(tx.clock.as('now'))
      .where('organization_id', '=', organizationId)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(keyOf);
  }),

  /**
   * Gives the key a new value. The previous one stays valid for a while; the one before that ends.
   * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE for a key that is revoked or expired
   */
  rotate: write(async (tx, { id, keyHash, overlapMs, actor }: Rotation): Promise<LegacyApiKey> => {
    const before = await requireKey(tx, id);
    const { now } = before;
    const isExpired = before.expires_at !== null && before.expires_at <= now;
    if (before.revoked_at !== null || isExpired) throw new ServiceError('CONFLICT_STATE');
    const row = await tx.db
      .updateTable('legacy_api_keys')
      .set((eb) => ({
        previous_key_hash: overlapMs === 0 ? null : eb.ref('key_hash'),
        previous_key_until: overlapMs === 0 ? null : now + overlapMs,
        key_hash: keyHash,
      }))
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(COLUMNS.legacy_api_keys)
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('CONFLICT_STATE');
    await recordAct(tx, actor, {
      organizationId: row.organization_id,
      act: 'legacy_api_key.rotate',
      target: id,
      details: { overlap_seconds: overlapMs / 1_000 },
    });
    return keyOf({ ...row, now });
  }),

  /** Idempotent. @throws ServiceError RESOURCE_NOT_FOUND */
  revoke: write(async (tx, input: { id: string; actor: Actor }): Promise<LegacyApiKey> => {
    const revoked = await tx.db
      .updateTable('legacy_api_keys')
      .set({ revoked_at: tx.clock })
      .where('id', '=', input.id)
      .where('revoked_at', 'is', null)
      .returning(COLUMNS.legacy_api_keys)
      .returning(tx.clock.as('now'))
      .executeTakeFirst();
    if (revoked !== undefined) {
      await recordAct(tx, input.actor, {
        organizationId: revoked.organization_id,
        act: 'legacy_api_key.revoke',
        target: input.id,
      });
      return keyOf(revoked);
    }
    return keyOf(await requireKey(tx, input.id));
  }),
};

type Row = Selectable<Database['legacy_api_keys']> & { readonly now: number };

async function requireKey(tx: Transaction, id: string): Promise<Row> {
  const row = await tx.db
    .selectFrom('legacy_api_keys')
    .select(COLUMNS.legacy_api_keys)
    .select(tx.clock.as('now'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `key ${id}` });
  return row;
}

function keyOf(row: Row): LegacyApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    envScope: row.env_scope,
    label: row.label,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    allowedAddresses: row.allowed_addresses === null ? null : JSON.parse(row.allowed_addresses),
    previousKeyUntil: (row.previous_key_until ?? 0) > row.now ? row.previous_key_until : null,
    lastUsedAt: row.last_used_at,
    lastUsedAddress: row.last_used_address,
  };
}
