import type { EnvScope, OAuthScope } from '@changgu/contract';
import type { Selectable } from 'kysely';
import { hasPaidPlan, hasRealTest } from '../../rules/organizations/policy.ts';
import { type Actor, actorOf, type Origin } from '../../rules/principals/actor.ts';
import { acceptEnvScopes } from '../../rules/principals/issued-scopes.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import { isAlive, liveGrants } from './live-grants.ts';

/** Active grants per organization. */
const MAX_ACTIVE = 100;

/** A person's approval of a client. */
export interface OAuthGrant {
  readonly id: string;
  readonly organizationId: number;
  readonly userId: number;
  readonly clientId: string;
  readonly clientName: string;
  /** Null for a device without a browser. */
  readonly redirectHost: string | null;
  readonly scopes: readonly OAuthScope[];
  readonly envScopes: readonly EnvScope[];
  /** Patterns of action ids, or null for every action. */
  readonly allowedActions: readonly string[] | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

type NewOAuthGrant = Omit<OAuthGrant, 'createdAt' | 'lastUsedAt' | 'revokedAt'>;

/** A valid access token, with what was approved for it. */
export interface LiveAccessToken {
  readonly grant: OAuthGrant;
  /** Sealed. */
  readonly payload: Uint8Array;
}

interface RefreshUse {
  readonly grantId: string;
  readonly origin: Origin;
}

export const oauthGrantScripts = {
  /**
   * @throws ServiceError RESOURCE_NOT_FOUND when the person may not issue keys there;
   *   POLICY_PAID_REQUIRED, POLICY_ENV_NOT_APPROVED, POLICY_LIMIT_REACHED
   */
  approve: write(
    async (tx, input: NewOAuthGrant & { readonly actor: Actor }): Promise<OAuthGrant> => {
      const { organizationId } = input;
      await tx.dialect.lock(tx, `oauth-grants:${organizationId}`);
      await assertStands(tx, input.actor);
      const organization = await requireOrganization(tx, organizationId);
      const envScopes = acceptEnvScopes(input.envScopes, {
        paid: hasPaidPlan(organization),
        realTestApproved: hasRealTest(organization, await tx.now()),
      });
      const now = await tx.realNow();
      await assertRoom(tx, organizationId, now);
      const row = await tx.db
        .insertInto('oauth_grants')
        .values({ ...rowOf(input), env_scopes: JSON.stringify(envScopes), created_at: now })
        .returning(COLUMNS.oauth_grants)
        .executeTakeFirstOrThrow();
      // The transaction itself checks that the person may issue keys.
      if (!(await isAlive(tx, input.id))) throw new ServiceError('RESOURCE_NOT_FOUND');
      await recordAct(tx, input.actor, {
        organizationId,
        act: 'oauth_grant.approve',
        target: input.id,
        details: {
          client: input.clientId,
          scopes: input.scopes.join(' '),
          env_scopes: envScopes.join(' '),
        },
      });
      return grantOf(row);
    },
  ),

  /** Records a refusal. */
  recordDenial: write(
    async (
      tx,
      input: { readonly organizationId: number; readonly clientId: string; readonly actor: Actor },
    ): Promise<void> =>
      recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'oauth_grant.deny',
        details: { client: input.clientId },
      }),
  ),

  /** Records that a client used its refresh token. */
  recordRefresh: write(async (tx, { grantId, origin }: RefreshUse): Promise<void> => {
    const grant = await tx.db
      .selectFrom('oauth_grants')
      .select('organization_id')
      .where('id', '=', grantId)
      .executeTakeFirst();
    if (grant === undefined) return;
    await recordAct(tx, actorOf({ kind: 'client', id: grantId }, origin), {
      organizationId: grant.organization_id,
      act: 'oauth_grant.refresh',
      target: grantId,
    });
  }),

  /** What authentication needs; null when the token is unknown or its grant no longer holds. */
  findAccessToken: read(async (tx, idHash: string): Promise<LiveAccessToken | null> => {
    const row = await liveGrants(tx)
      .innerJoin('oauth_artifacts', 'oauth_artifacts.grant_id', 'oauth_grants.id')
      .select(COLUMNS.oauth_grants)
      .select('oauth_artifacts.payload')
      .where('oauth_artifacts.kind', '=', 'AccessToken')
      .where('oauth_artifacts.id_hash', '=', idHash)
      .executeTakeFirst();
    return row ? { grant: grantOf(row), payload: row.payload } : null;
  }),

  find: read(async (tx, grantId: string): Promise<OAuthGrant | null> => {
    const row = await tx.db
      .selectFrom('oauth_grants')
      .select(COLUMNS.oauth_grants)
      .where('id', '=', grantId)
      .executeTakeFirst();
    return row ? grantOf(row) : null;
  }),

  /** At most once a minute per process, and not awaited. */
  used: write(async (tx, grantId: string): Promise<void> => {
    await tx.db
      .updateTable('oauth_grants')
      .set({ last_used_at: await tx.realNow() })
      .where('id', '=', grantId)
      .execute();
  }),

  /** Newest first, including revoked ones. */
  list: read(async (tx, organizationId: number): Promise<OAuthGrant[]> => {
    const rows = await tx.db
      .selectFrom('oauth_grants')
      .select(COLUMNS.oauth_grants)
      .where('organization_id', '=', organizationId)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(grantOf);
  }),

  /**
   * Ends a grant and all its tokens at once; an ended one stays unchanged.
   * @throws ServiceError RESOURCE_NOT_FOUND
   */
  revoke: write(
    async (
      tx,
      input: {
        readonly grantId: string;
        /** Null matches any organization. */
        readonly organizationId: number | null;
        readonly actor: Actor;
      },
    ): Promise<OAuthGrant> => {
      const { grantId, organizationId, actor } = input;
      const before = await tx.db
        .selectFrom('oauth_grants')
        .select('organization_id')
        .where('id', '=', grantId)
        .executeTakeFirst();
      if (!before || (organizationId !== null && before.organization_id !== organizationId)) {
        throw new ServiceError('RESOURCE_NOT_FOUND');
      }
      await revokeGrants(tx, { grantId, actor });
      const row = await tx.db
        .selectFrom('oauth_grants')
        .select(COLUMNS.oauth_grants)
        .where('id', '=', grantId)
        .executeTakeFirstOrThrow();
      return grantOf(row);
    },
  ),

  /** Called by the authorization server: the client revoked the grant, or a token was used twice. */
  end: write(
    async (tx, input: { readonly grantId: string; readonly actor: Actor }): Promise<void> =>
      revokeGrants(tx, input),
  ),
};

/** Revokes within another script's transaction; an ended grant stays unchanged. */
export async function revokeGrants(
  tx: Transaction,
  { grantId, actor }: { readonly grantId: string; readonly actor: Actor },
): Promise<void> {
  const revoked = await tx.db
    .updateTable('oauth_grants')
    .set({ revoked_at: await tx.realNow() })
    .where('id', '=', grantId)
    .where('revoked_at', 'is', null)
    .returning('organization_id')
    .executeTakeFirst();
  await tx.db.deleteFrom('oauth_artifacts').where('grant_id', '=', grantId).execute();
  if (revoked === undefined) return;
  await recordAct(tx, actor, {
    organizationId: revoked.organization_id,
    act: 'oauth_grant.revoke',
    target: grantId,
  });
}

/** Ends all approvals of a person within another script's transaction; answers their ids, also of those ended before. */
export async function endGrantsOf(
  tx: Transaction,
  person: { readonly userId: number; readonly organizationId: number; readonly actor: Actor },
): Promise<readonly string[]> {
  const { userId, organizationId, actor } = person;
  await tx.dialect.lock(tx, `oauth-grants:${organizationId}`);
  const given = await tx.db
    .selectFrom('oauth_grants')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  for (const { id: grantId } of given) await revokeGrants(tx, { grantId, actor });
  return given.map(({ id }) => id);
}

async function assertRoom(tx: Transaction, organizationId: number, now: number): Promise<void> {
  const { active } = await tx.db
    .selectFrom('oauth_grants')
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (active >= MAX_ACTIVE) throw new ServiceError('POLICY_LIMIT_REACHED');
}

function rowOf(grant: NewOAuthGrant) {
  return {
    id: grant.id,
    organization_id: grant.organizationId,
    user_id: grant.userId,
    client_id: grant.clientId,
    client_name: grant.clientName,
    redirect_host: grant.redirectHost,
    scopes: JSON.stringify(grant.scopes),
    allowed_actions: grant.allowedActions && JSON.stringify(grant.allowedActions),
    expires_at: grant.expiresAt,
  };
}

function grantOf(row: Selectable<Database['oauth_grants']>): OAuthGrant {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    scopes: JSON.parse(row.scopes),
    envScopes: JSON.parse(row.env_scopes),
    allowedActions: row.allowed_actions === null ? null : JSON.parse(row.allowed_actions),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
