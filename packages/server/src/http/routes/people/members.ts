import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../../core.ts';
import type { PostOffice } from '../../../mail/post-office.ts';
import { invite, listInvitations, revokeInvitation } from '../../../organizations/invitations.ts';
import {
  handOver,
  listMembers,
  removeMember,
  resetMemberFactors,
  setMemberRole,
} from '../../../organizations/members.ts';
import type { HttpApp } from '../../app.ts';
import { route } from '../../route.ts';

interface MemberRouteDependencies extends Pick<CoreDependencies, 'store'> {
  readonly postOffice: PostOffice;
}

const { members } = operations;

/** The members of an organization. */
export function memberRoutes(app: HttpApp, dependencies: MemberRouteDependencies): void {
  const { store } = dependencies;
  route(app, members.inviteMember, async ({ principal, body, origin }) => ({
    status: 201,
    body: await invite(dependencies, principal, body, origin),
  }));
  route(app, members.listInvitations, async ({ principal }) => ({
    status: 200,
    body: await listInvitations(store, principal.organizationId),
  }));
  route(app, members.revokeInvitation, async ({ principal, params, origin }) => ({
    status: 200,
    body: await revokeInvitation(store, principal, params.invitation_id, origin),
  }));
  route(app, members.listMembers, async ({ principal }) => ({
    status: 200,
    body: await listMembers(store, principal.organizationId),
  }));
  route(app, members.setMemberRole, async ({ principal, params, body, origin }) => ({
    status: 200,
    body: await setMemberRole(store, { principal, userId: params.user_id, origin }, body.role),
  }));
  route(app, members.removeMember, async ({ principal, params, origin }) => ({
    status: 200,
    body: await removeMember(store, { principal, userId: params.user_id, origin }),
  }));
  route(app, members.resetMemberFactors, async ({ principal, params, origin }) => ({
    status: 200,
    body: await resetMemberFactors(dependencies, { principal, userId: params.user_id, origin }),
  }));
  route(app, members.handOverOwnership, async ({ principal, body, origin }) => ({
    status: 200,
    body: await handOver(store, { principal, userId: body.user_id, origin }),
  }));
}
