import type { OrganizationRole } from '@changgu/contract';
import type {
  MemberFactorsResetResponse,
  MemberRemoveResponse,
  OrganizationMember,
  OrganizationMemberListResponse,
} from '@changgu/contract/schemas';
import type { PostOffice } from '../mail/post-office.ts';
import { kstTimeOrNull } from '../rules/kst.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { Member } from '../store/people/members.ts';

type MemberStore = Pick<Store, 'members'>;
type FactorResetStore = Pick<Store, 'members' | 'users'>;

/** A member's request that concerns another member. */
export interface MemberAct {
  readonly principal: ConsolePrincipal;
  readonly userId: number;
  readonly origin: RequestOrigin;
}

function memberView(member: Member): OrganizationMember {
  return {
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    email_verified: member.emailVerified,
    second_factor: member.secondFactor,
    joined_at: kstTimeOrNull(member.joinedAt),
  };
}

export async function listMembers(
  { members }: MemberStore,
  organizationId: number,
): Promise<OrganizationMemberListResponse> {
  return { items: (await members.list(organizationId)).map(memberView) };
}

/** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL, CONFLICT_STATE */
export async function setMemberRole(
  { members }: MemberStore,
  act: MemberAct,
  role: OrganizationRole,
): Promise<OrganizationMember> {
  return memberView(await members.setRole({ ...changeOf(act), role }));
}

/** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL, CONFLICT_STATE */
export async function removeMember(
  { members }: MemberStore,
  act: MemberAct,
): Promise<MemberRemoveResponse> {
  await members.remove(changeOf(act));
  return { user_id: act.userId, status: 'REMOVED' };
}

/**
 * The member is told by email, if it is configured.
 * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE for the caller itself
 */
export async function resetMemberFactors(
  { store, postOffice }: { readonly store: FactorResetStore; readonly postOffice: PostOffice },
  act: MemberAct,
): Promise<MemberFactorsResetResponse> {
  const { userId, principal } = act;
  const member = await store.users.find({ userId });
  if (member?.organizationId !== principal.organizationId) {
    throw new ServiceError('RESOURCE_NOT_FOUND');
  }
  const letter = await postOffice.writeNotice('factors_reset', {
    to: member.email,
    organization: member.organizationName,
  });
  await store.members.resetFactors({ ...changeOf(act), letter });
  postOffice.hurry();
  return { user_id: userId, status: 'RESET' };
}

/** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function handOver(
  { members }: MemberStore,
  act: MemberAct,
): Promise<OrganizationMember> {
  return memberView(await members.handOver(changeOf(act)));
}

function changeOf({ principal, userId, origin }: MemberAct) {
  return {
    organizationId: principal.organizationId,
    userId,
    by: principal.userId,
    actor: actorOf(principal, origin),
  };
}
