import { ADMINISTRATORS } from '../../rules/principals/roles.ts';
import type { Transaction } from '../transactions/script.ts';

/**
 * A grant that still holds: not revoked, and the person who approved it is still a member who may issue keys of
 * the organization. This is checked on every call, so an organization or a person that is disabled stops its
 * clients at once. Its end is not: no token is issued after it, so the last one works for at most an hour longer.
 */
export function liveGrants(tx: Transaction) {
  return tx.db
    .selectFrom('oauth_grants')
    .innerJoin('organizations', 'organizations.id', 'oauth_grants.organization_id')
    .innerJoin('users', 'users.id', 'oauth_grants.user_id')
    .innerJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'oauth_grants.user_id')
        .onRef('members.organization_id', '=', 'oauth_grants.organization_id'),
    )
    .where('oauth_grants.revoked_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .where('organizations.disabled_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .where('members.role', 'in', ADMINISTRATORS);
}

export async function isAlive(tx: Transaction, grantId: string): Promise<boolean> {
  const row = await liveGrants(tx)
    .select('oauth_grants.id')
    .where('oauth_grants.id', '=', grantId)
    .executeTakeFirst();
  return row !== undefined;
}
