import type { OrganizationRole } from '@changgu/contract';
import { DAY_MS } from '../../rules/durations.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { assertMayManage, assertOwnerRemains } from '../../rules/principals/manage-members.ts';
import { isAdministrator } from '../../rules/principals/roles.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { closeAccount } from '../deletions/close-account.ts';
import { closeLeftOrganization } from '../deletions/close-left-organization.ts';
import { type PostedLetter, postLetter } from '../mail/mail-outbox.ts';
import { endGrantsOf } from '../oauth/grants.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import { assertMayBecome } from './become-owner.ts';
import { endSessionsOf } from './console-sessions.ts';
import { deleteIdentity } from './identities.ts';
import { resetFactors } from './own-factors.ts';
import { confirmedFactorId } from './users.ts';

/** How long sending a notice is retried. */
const NOTICE_MS = 3 * DAY_MS;

export interface Member {
  readonly userId: number;
  readonly organizationId: number;
  readonly email: string;
  readonly name: string;
  readonly role: OrganizationRole;
  readonly emailVerified: boolean;
  readonly secondFactor: boolean;
  readonly joinedAt: number | null;
}

interface Addition {
  readonly organizationId: number;
  /** Lower case. */
  readonly email: string;
  readonly role: OrganizationRole;
  readonly actor: Actor;
}

/** A member's change to a member. */
interface MemberChange {
  readonly organizationId: number;
  readonly userId: number;
  readonly by: number;
  readonly actor: Actor;
}

/** The members of organizations. A user belongs to one. */
export const memberScripts = {
  list: read(
    async (tx, organizationId: number): Promise<Member[]> => membersOf(tx, organizationId),
  ),

  /**
   * Adds a user with a proven address to the organization, or gives a member another role. The
   * organization that the user leaves is closed: the user must be its only member, and it must be empty.
   * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE
   */
  add: write(async (tx, input: Addition): Promise<Member> => {
    const { organizationId, email, role } = input;
    await tx.dialect.lock(tx, 'members');
    await requireOrganization(tx, organizationId);
    const user = await tx.db
      .selectFrom('users')
      .innerJoin('members', 'members.user_id', 'users.id')
      .select(['users.id', 'users.email_verified_at', 'members.organization_id', 'members.role'])
      .where('users.email', '=', email)
      .executeTakeFirst();
    if (user === undefined)
      throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `account ${email}` });
    if (user.organization_id === organizationId) {
      await assertMayBecome(tx, user.id, user.role, role);
      await assertOwnerIsLeft(tx, organizationId, user.id, role);
    } else {
      // The address may have been registered by someone else.
      if (user.email_verified_at === null)
        throw new ServiceError('RESOURCE_NOT_FOUND', {
          missing: `account ${email} with a confirmed address`,
        });
      await assertMayBecome(tx, user.id, null, role);
      await closeLeftOrganization(tx, user.organization_id);
      await deleteIdentity(tx, user.id);
      await endSessionsOf(tx, user.id);
    }
    await tx.db
      .updateTable('members')
      .set({ organization_id: organizationId, role })
      .where('user_id', '=', user.id)
      .execute();
    await endLostGrants(tx, { organizationId, userId: user.id, role, actor: input.actor });
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'member.set',
      target: String(user.id),
      details: { role, from: user.organization_id },
    });
    return requireMember(tx, organizationId, user.id);
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL, CONFLICT_STATE */
  setRole: write(async (tx, input: MemberChange & { role: OrganizationRole }): Promise<Member> => {
    const { organizationId, userId, role } = input;
    await tx.dialect.lock(tx, 'members');
    await assertStands(tx, input.actor);
    const member = await requireMember(tx, organizationId, userId);
    const manager = await roleOf(tx, organizationId, input.by);
    assertMayManage(manager, member.role);
    assertMayManage(manager, role);
    await assertMayBecome(tx, userId, member.role, role);
    await assertOwnerIsLeft(tx, organizationId, userId, role);
    await setRole(tx, userId, role);
    await endLostGrants(tx, input);
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'member.set',
      target: String(userId),
      details: { role, from_role: member.role },
    });
    return { ...member, role };
  }),

  /**
   * Closes a member's account, or the caller's own: none of its credentials works any longer.
   * @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL, CONFLICT_STATE
   */
  remove: write(async (tx, input: MemberChange): Promise<void> => {
    const { organizationId, userId, by } = input;
    await tx.dialect.lock(tx, 'members');
    await assertStands(tx, input.actor);
    const member = await requireMember(tx, organizationId, userId);
    if (userId !== by) assertMayManage(await roleOf(tx, organizationId, by), member.role);
    await assertOwnerIsLeft(tx, organizationId, userId, null);
    await closeAccount(tx, userId);
    await recordAct(tx, input.actor, {
      organizationId,
      act: userId === by ? 'member.leave' : 'member.remove',
      target: String(userId),
      details: { role: member.role },
    });
  }),

  /**
   * For a member who has lost all second factors. Ends every session of the member.
   * @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL, CONFLICT_STATE for oneself
   */
  resetFactors: write(
    async (tx, input: MemberChange & { letter: PostedLetter | null }): Promise<void> => {
      const { organizationId, userId, by, actor, letter } = input;
      await tx.dialect.lock(tx, 'members');
      await assertStands(tx, actor);
      await requireMember(tx, organizationId, userId);
      assertMayManage(await roleOf(tx, organizationId, by), 'OWNER');
      if (userId === by) throw new ServiceError('CONFLICT_STATE');
      await resetFactors(tx, { userId, organizationId, actor });
      if (letter === null) return;
      const now = await tx.realNow();
      await postLetter(tx, letter, { wanted: true, now, expiresAt: now + NOTICE_MS });
    },
  ),

  /** The member becomes owner, and who hands over ADMIN. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  handOver: write(async (tx, input: MemberChange): Promise<Member> => {
    const { organizationId, userId, by } = input;
    await tx.dialect.lock(tx, 'members');
    await assertStands(tx, input.actor);
    const member = await requireMember(tx, organizationId, userId);
    assertMayManage(await roleOf(tx, organizationId, by), 'OWNER');
    if (userId === by) throw new ServiceError('CONFLICT_STATE');
    await assertMayBecome(tx, userId, member.role, 'OWNER');
    await setRole(tx, userId, 'OWNER');
    await setRole(tx, by, 'ADMIN');
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'organization.hand_over',
      target: String(userId),
      details: { from_user_id: by },
    });
    return { ...member, role: 'OWNER' };
  }),
};

async function membersOf(tx: Transaction, organizationId: number): Promise<Member[]> {
  const rows = await tx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.email_verified_at',
      'members.role',
      'members.joined_at',
    ])
    .select((eb) => confirmedFactorId(eb.ref('users.id')).as('factor_id'))
    .where('members.organization_id', '=', organizationId)
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id')
    .execute();
  return rows.map((row) => ({
    userId: row.id,
    organizationId,
    email: row.email ?? '',
    name: row.name,
    role: row.role,
    emailVerified: row.email_verified_at !== null,
    secondFactor: row.factor_id !== null,
    joinedAt: row.joined_at,
  }));
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
async function requireMember(
  tx: Transaction,
  organizationId: number,
  userId: number,
): Promise<Member> {
  const found = (await membersOf(tx, organizationId)).find((each) => each.userId === userId);
  if (found === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
  return found;
}

/**
 * The role within this transaction, because it may have changed since the request was admitted.
 * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL when the user is no longer a member
 */
export async function roleOf(
  tx: Transaction,
  organizationId: number,
  userId: number,
): Promise<OrganizationRole> {
  const row = await tx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.role')
    .where('members.user_id', '=', userId)
    .where('members.organization_id', '=', organizationId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  return row.role;
}

async function assertOwnerIsLeft(
  tx: Transaction,
  organizationId: number,
  userId: number,
  becomes: OrganizationRole | null,
): Promise<void> {
  const others = (await membersOf(tx, organizationId)).filter((each) => each.userId !== userId);
  assertOwnerRemains(others, becomes);
}

async function setRole(tx: Transaction, userId: number, role: OrganizationRole): Promise<void> {
  await tx.db.updateTable('members').set({ role }).where('user_id', '=', userId).execute();
}

/** For good: whoever gets the role back was not asked again. */
async function endLostGrants(
  tx: Transaction,
  member: Omit<MemberChange, 'by'> & { readonly role: OrganizationRole },
): Promise<void> {
  if (!isAdministrator(member.role)) await endGrantsOf(tx, member);
}
