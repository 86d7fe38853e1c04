import { ServiceError } from '../../rules/service-error.ts';
import { IS_UNFINISHED } from '../queue/job-predicates.ts';
import type { Transaction } from '../transactions/script.ts';
import { closeOrganization } from './close-organization.ts';

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
  const empty = members.length <= 1 && !(await holdsAnything(tx, organizationId));
  if (!empty) throw new ServiceError('CONFLICT_STATE', { message: NOT_EMPTY });
  await closeOrganization(tx, organizationId);
}

async function holdsAnything(tx: Transaction, organizationId: number): Promise<boolean> {
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
      eb
        .exists(
          eb
            .selectFrom('subscriptions')
            .select('id')
            .whereRef('organization_id', '=', 'organizations.id')
            .where('status', 'in', ['ACTIVE', 'PAUSED']),
        )
        .as('subscription'),
      eb
        .exists(
          eb
            .selectFrom('jobs')
            .select('seq')
            .whereRef('organization_id', '=', 'organizations.id')
            .where(IS_UNFINISHED),
        )
        .as('jobs'),
    ])
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return left !== undefined && Object.values(left).some(Boolean);
}

const NOT_EMPTY = {
  ko: '지금 속한 조직에 다른 구성원이나 키, 연결, 구독, 끝나지 않은 작업이 남아 있어 옮길 수 없습니다.',
  en: 'The account belongs to an organization that still has other members, keys, links, a subscription or unfinished jobs.',
};
