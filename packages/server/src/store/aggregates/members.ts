import type { OrganizationRole } from '@changgu/contract';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { requireOrganization } from './require-organization.ts';

export interface Member {
  readonly userId: number;
  readonly organizationId: number;
  readonly email: string;
  readonly role: OrganizationRole;
}

interface Addition {
  readonly organizationId: number;
  /** Lower case. */
  readonly email: string;
  readonly role: OrganizationRole;
  readonly actor: Actor;
}

/** Who belongs to which organization. A user belongs to one. */
export const memberScripts = {
  list: read(
    async (tx, organizationId: number): Promise<Member[]> => membersOf(tx, organizationId),
  ),

  /**
   * Puts a registered user into the organization, or gives a member another role. The organization
   * that the user leaves is closed: it must have been the user's alone, and empty.
   * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE
   */
  add: write(async (tx, input: Addition): Promise<Member> => {
    const { organizationId, email, role } = input;
    await tx.dialect.lock(tx.db, 'members');
    await requireOrganization(tx, organizationId);
    const user = await tx.db
      .selectFrom('users')
      .innerJoin('members', 'members.user_id', 'users.id')
      .select(['users.id', 'members.organization_id', 'members.role'])
      .where('users.email', '=', email)
      .executeTakeFirst();
    if (user === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
    if (user.organization_id === organizationId) {
      await assertOwnerRemains(tx, organizationId, user.id, role);
    } else {
      await closeLeft(tx, user.organization_id);
    }
    await tx.db
      .updateTable('members')
      .set({ organization_id: organizationId, role })
      .where('user_id', '=', user.id)
      .execute();
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'member.set',
      target: String(user.id),
      details: { role, from: user.organization_id },
    });
    return { userId: user.id, organizationId, email, role };
  }),
};

async function membersOf(tx: Transaction, organizationId: number): Promise<Member[]> {
  const rows = await tx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email', 'members.role'])
    .where('members.organization_id', '=', organizationId)
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id')
    .execute();
  return rows.map(({ id, email, role }) => ({
    userId: id,
    organizationId,
    email: email ?? '',
    role,
  }));
}

/** @throws ServiceError CONFLICT_STATE when the last owner would stop being one */
async function assertOwnerRemains(
  tx: Transaction,
  organizationId: number,
  userId: number,
  role: OrganizationRole,
): Promise<void> {
  const others = (await membersOf(tx, organizationId)).filter((each) => each.userId !== userId);
  const remains = role === 'OWNER' || others.some((each) => each.role === 'OWNER');
  if (!remains) throw new ServiceError('CONFLICT_STATE');
}

/** @throws ServiceError CONFLICT_STATE when anybody or anything would be left behind */
async function closeLeft(tx: Transaction, organizationId: number): Promise<void> {
  const alone = (await membersOf(tx, organizationId)).length === 1;
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
  if (!alone || left?.keys || left?.legacy_keys || left?.links) {
    throw new ServiceError('CONFLICT_STATE');
  }
  await tx.db
    .updateTable('organizations')
    .set({ deleted_at: tx.clock })
    .where('id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute();
}
