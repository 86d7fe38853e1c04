import type { OAuthGrantListResponse, OAuthGrantRecord } from '@changgu/contract/schemas';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { AdminPrincipal, ConsolePrincipal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';
import type { OAuthGrant } from '../store/oauth/grants.ts';

type GrantStore = Pick<Store, 'oauthGrants'>;

export async function listOAuthGrants(
  { oauthGrants }: GrantStore,
  organizationId: number,
  now: number,
): Promise<OAuthGrantListResponse> {
  const grants = await oauthGrants.list(organizationId);
  return { items: grants.map((grant) => toRecord(grant, now)) };
}

/** Ends all tokens of a grant at once. @throws ServiceError RESOURCE_NOT_FOUND */
export async function revokeOAuthGrant(
  { oauthGrants }: GrantStore,
  who: {
    readonly principal: ConsolePrincipal | AdminPrincipal;
    /** Null matches any organization. */
    readonly organizationId: number | null;
    readonly origin: RequestOrigin;
  },
  grantId: string,
  now: number,
): Promise<OAuthGrantRecord> {
  const { principal, organizationId, origin } = who;
  const actor = actorOf(principal, origin);
  return toRecord(await oauthGrants.revoke({ grantId, organizationId, actor }), now);
}

function toRecord(grant: OAuthGrant, now: number): OAuthGrantRecord {
  return {
    grant_id: grant.id,
    client_id: grant.clientId,
    client_name: grant.clientName,
    redirect_host: grant.redirectHost,
    approved_by: grant.userId,
    scopes: [...grant.scopes],
    allowed_env_scopes: [...grant.envScopes],
    allowed_actions: grant.allowedActions && [...grant.allowedActions],
    status: statusOf(grant, now),
    created_at: kstTime(grant.createdAt),
    expires_at: kstTime(grant.expiresAt),
    last_used_at: kstTimeOrNull(grant.lastUsedAt),
    revoked_at: kstTimeOrNull(grant.revokedAt),
  };
}

function statusOf({ revokedAt, expiresAt }: OAuthGrant, now: number): OAuthGrantRecord['status'] {
  if (revokedAt !== null) return 'REVOKED';
  return now >= expiresAt ? 'EXPIRED' : 'ACTIVE';
}
