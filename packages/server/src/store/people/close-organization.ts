import { ServiceError } from '../../rules/service-error.ts';
import type { Transaction } from '../transactions/script.ts';

/** @throws ServiceError CONFLICT_STATE when people or data would be left behind */
export async function closeLeftOrganization(
  tx: Transaction,
  organizationId: number,
): Promise<void> {
  const members = await tx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.id')
    .where('members.organization_id', '=', organizationId)
    .where('users.deleted_at', 'is', null)
    .execute();
  const left = await tx.db
    .selectFrom('organizations')
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('app_credentials')
            .select('client_id')
            .whereRef('organization_id', '=', 'organizations.id')
            .where('revoked_at', 'is', null),
        )
        .as('keys'),
      eb
        .exists(
          eb
            .selectFrom('legacy_api_keys')
            .select('id')
            .whereRef('organization_id', '=', 'organizations.id')
            .where('revoked_at', 'is', null),
        )
        .as('legacy_keys'),
      eb
        .exists(
          eb
            .selectFrom('account_links')
            .select('id')
            .whereRef('organization_id', '=', 'organizations.id')
            .where('status', '<>', 'UNLINKED'),
        )
        .as('links'),
    ])
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (members.length > 1 || left?.keys || left?.legacy_keys || left?.links) {
    throw new ServiceError('CONFLICT_STATE', { message: NOT_EMPTY });
  }
  await tx.db
    .updateTable('organizations')
    .set({ deleted_at: tx.clock })
    .where('id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute();
}

const NOT_EMPTY = {
  ko: '지금 속한 조직에 다른 구성원이나 키, 연결이 남아 있어 옮길 수 없습니다.',
  en: 'The account belongs to an organization that still has other members, keys or links.',
};
