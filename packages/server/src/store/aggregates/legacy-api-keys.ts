import type { EnvScope } from '@changgu/contract';
import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import type { LegacyKeyPrincipal } from '../../rules/principals/principal.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';
import { requireOrganization } from './require-organization.ts';

export interface LegacyApiKey {
  readonly id: string;
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly label: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

interface NewLegacyApiKey extends Omit<LegacyApiKey, 'createdAt' | 'revokedAt'> {
  readonly keyHash: string;
  readonly actor: Actor;
}

/** x-api-keys, each for one organization and environment. */
export const legacyApiKeyScripts = {
  /** Null when no active key has this hash. The timing of a lookup by hash reveals nothing. */
  verify: read(async (tx, keyHash: string): Promise<LegacyKeyPrincipal | null> => {
    const row = await tx.db
      .selectFrom('legacy_api_keys')
      .innerJoin('organizations', 'organizations.id', 'legacy_api_keys.organization_id')
      .select(COLUMNS.legacy_api_keys)
      .where('key_hash', '=', keyHash)
      .where('revoked_at', 'is', null)
      .where('legacy_api_keys.disabled_at', 'is', null)
      .where('organizations.disabled_at', 'is', null)
      .where('organizations.deleted_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      kind: 'legacy_api_key',
      id: row.id,
      organizationId: row.organization_id,
      envScope: row.env_scope,
    };
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND */
  issue: write(async (tx, input: NewLegacyApiKey): Promise<LegacyApiKey> => {
    await requireOrganization(tx, input.organizationId);
    const row = await tx.db
      .insertInto('legacy_api_keys')
      .values({
        id: input.id,
        organization_id: input.organizationId,
        env_scope: input.envScope,
        label: input.label,
        key_hash: input.keyHash,
        created_at: tx.clock,
        created_by: `${input.actor.kind}:${input.actor.id}`,
      })
      .returning(COLUMNS.legacy_api_keys)
      .executeTakeFirstOrThrow();
    await recordAct(tx, input.actor, {
      organizationId: input.organizationId,
      act: 'legacy_api_key.issue',
      target: input.id,
      details: { env_scope: input.envScope },
    });
    return keyOf(row);
  }),

  /** Newest first, including revoked ones. */
  list: read(async (tx, organizationId: number): Promise<LegacyApiKey[]> => {
    const rows = await tx.db
      .selectFrom('legacy_api_keys')
      .select(COLUMNS.legacy_api_keys)
      .where('organization_id', '=', organizationId)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(keyOf);
  }),

  /** Idempotent. @throws ServiceError RESOURCE_NOT_FOUND */
  revoke: write(async (tx, input: { id: string; actor: Actor }): Promise<LegacyApiKey> => {
    const revoked = await tx.db
      .updateTable('legacy_api_keys')
      .set({ revoked_at: tx.clock })
      .where('id', '=', input.id)
      .where('revoked_at', 'is', null)
      .returning(COLUMNS.legacy_api_keys)
      .executeTakeFirst();
    if (revoked !== undefined) {
      await recordAct(tx, input.actor, {
        organizationId: revoked.organization_id,
        act: 'legacy_api_key.revoke',
        target: input.id,
      });
      return keyOf(revoked);
    }
    const row = await tx.db
      .selectFrom('legacy_api_keys')
      .select(COLUMNS.legacy_api_keys)
      .where('id', '=', input.id)
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
    return keyOf(row);
  }),
};

function keyOf(row: Selectable<Database['legacy_api_keys']>): LegacyApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    envScope: row.env_scope,
    label: row.label,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
