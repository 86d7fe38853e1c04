import type { EnvScope } from '@changgu/contract';
import type { RevokedReason } from '@changgu/contract/schemas';
import type { Selectable } from 'kysely';
import { hasPaidPlan, hasRealTest } from '../../rules/organizations/policy.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { acceptEnvScopes } from '../../rules/principals/issued-scopes.ts';
import type { ClientPrincipal, IntegrationProfile } from '../../rules/principals/principal.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { requireOrganization } from './require-organization.ts';

/** Active keys that one organization may have. */
const MAX_ACTIVE = 20;

/** A key as its owner may see it. */
export interface AppCredential extends Omit<ClientPrincipal, 'kind' | 'scopes'> {
  readonly label: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly revokedReason: RevokedReason | null;
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
}

interface Revocation {
  readonly clientId: string;
  /** Null: whichever it is of (an admin without X-Organization-Id). */
  readonly organizationId: number | null;
  readonly reason: RevokedReason;
  readonly actor: Actor;
}

export const appCredentialScripts = {
  /** What authentication needs; null when there is no such key, or it is revoked. */
  verify: read(
    async (
      tx,
      clientId: string,
    ): Promise<{ readonly principal: ClientPrincipal; readonly secretHash: string } | null> => {
      const [row] = await inForce(tx, { clientId });
      return row ? { principal: principalOf(row), secretHash: row.secret_hash } : null;
    },
  ),

  /** @throws ServiceError POLICY_PAID_REQUIRED, POLICY_ENV_NOT_APPROVED, POLICY_LIMIT_REACHED, RESOURCE_NOT_FOUND */
  issue: write(
    async (tx, input: NewAppCredential & { readonly actor: Actor }): Promise<AppCredential> =>
      insertAppCredential(tx, input, input.actor),
  ),

  /** Newest first, revoked ones too. */
  list: read(async (tx, organizationId: number): Promise<AppCredential[]> => {
    const rows = await tx.db
      .selectFrom('app_credentials')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('client_id', 'desc')
      .execute();
    return rows.map(credentialOf);
  }),

  /**
   * Revokes at once; a key that is revoked already stays as it is.
   * @throws ServiceError RESOURCE_NOT_FOUND
   */
  revoke: write(
    async (tx, input: Revocation): Promise<AppCredential> => revokeAppCredential(tx, input),
  ),
};

/** Asked with every request, so it is built once. */
const inForce = compiled((tx, slot: SlotOf<{ clientId: string }>) =>
  tx.db
    .selectFrom('app_credentials')
    .innerJoin('organizations', 'organizations.id', 'app_credentials.organization_id')
    .selectAll('app_credentials')
    .where('client_id', '=', slot('clientId'))
    .where('revoked_at', 'is', null)
    .where('organizations.deleted_at', 'is', null),
);

/** Issues a key inside a transaction of another script. */
export async function insertAppCredential(
  tx: Transaction,
  input: NewAppCredential,
  actor: Actor,
): Promise<AppCredential> {
  await tx.dialect.lock(tx.db, `app-credentials:${input.organizationId}`);
  const organization = await requireOrganization(tx, input.organizationId);
  const now = await tx.now();
  const envScopes = acceptEnvScopes(input.envScopes, {
    paid: hasPaidPlan(organization),
    realTestApproved: hasRealTest(organization, now),
  });
  const { active } = await tx.db
    .selectFrom('app_credentials')
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('organization_id', '=', input.organizationId)
    .where('revoked_at', 'is', null)
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
      created_at: now,
      created_by: `${actor.kind}:${actor.id}`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordAct(tx, actor, {
    organizationId: input.organizationId,
    act: 'app_credential.issue',
    target: input.clientId,
    details: { profile: input.integrationProfile, env_scopes: envScopes.join(' ') },
  });
  return credentialOf(row);
}

/** Revokes a key inside a transaction of another script. @throws ServiceError RESOURCE_NOT_FOUND */
export async function revokeAppCredential(
  tx: Transaction,
  { clientId, organizationId, reason, actor }: Revocation,
): Promise<AppCredential> {
  const revoked = await tx.db
    .updateTable('app_credentials')
    .set({ revoked_at: tx.clock, revoked_reason: reason })
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .$if(organizationId !== null, (query) =>
      query.where('organization_id', '=', organizationId ?? 0),
    )
    .returningAll()
    .executeTakeFirst();
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
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (!row || (organizationId !== null && row.organization_id !== organizationId)) {
    throw new ServiceError('RESOURCE_NOT_FOUND');
  }
  return credentialOf(row);
}

type Row = Selectable<Database['app_credentials']>;

function principalOf(row: Row): ClientPrincipal {
  return {
    kind: 'client',
    id: row.client_id,
    organizationId: row.organization_id,
    allowedEnvScopes: JSON.parse(row.allowed_env_scopes),
    integrationProfile: row.integration_profile,
    readOnly: row.read_only === 1,
    allowedActions: row.allowed_actions === null ? null : JSON.parse(row.allowed_actions),
    allowIrreversibleTools: row.allow_irreversible_tools === 1,
    scopes: null,
  };
}

function credentialOf(row: Row): AppCredential {
  const { kind: _kind, scopes: _scopes, ...rights } = principalOf(row);
  return {
    ...rights,
    label: row.label,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
  };
}
