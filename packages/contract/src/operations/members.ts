import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import {
  InvitationListResponse,
  InvitationRequest,
  InvitationResponse,
  InvitationRevokeResponse,
  MemberFactorsResetResponse,
  MemberRemoveResponse,
  MemberRoleRequest,
  OrganizationMember,
  OrganizationMemberListResponse,
  OwnershipRequest,
} from '../schemas/member.ts';

const administrator = { console_user: 'ADMIN' } as const;
const owner = { console_user: 'OWNER' } as const;
const MemberPath = Type.Object({ user_id: Type.Integer({ minimum: 1, maximum: LIMITS.id }) });

export const inviteMember = defineOperation({
  id: 'inviteMember',
  method: 'POST',
  path: '/v1/members/invitations',
  tag: 'members',
  summary: 'Invite someone into the organization',
  description:
    'The address gets a one-time link, valid for 72 hours; another invitation of the same address replaces it. An ADMIN invites MEMBERs only.',
  may: administrator,
  environment: 'none',
  body: InvitationRequest,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: { 201: { description: 'The invitation', schema: InvitationResponse } },
  errors: ['CONFLICT_DUPLICATE', 'POLICY_LIMIT_REACHED'],
  addition: true,
});

export const listInvitations = defineOperation({
  id: 'listInvitations',
  method: 'GET',
  path: '/v1/members/invitations',
  tag: 'members',
  summary: 'List the open invitations of the organization, newest first',
  may: administrator,
  environment: 'none',
  responses: { 200: { description: 'The invitations', schema: InvitationListResponse } },
  errors: [],
  addition: true,
});

export const revokeInvitation = defineOperation({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/v1/members/invitations/{invitation_id}',
  tag: 'members',
  summary: 'Revoke an invitation',
  may: administrator,
  environment: 'none',
  params: Type.Object({ invitation_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: { description: 'Revoked', schema: InvitationRevokeResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const listMembers = defineOperation({
  id: 'listMembers',
  method: 'GET',
  path: '/v1/members',
  tag: 'members',
  summary: 'List the members of the organization',
  may: administrator,
  environment: 'none',
  responses: { 200: { description: 'The members', schema: OrganizationMemberListResponse } },
  errors: [],
  addition: true,
});

export const setMemberRole = defineOperation({
  id: 'setMemberRole',
  method: 'PATCH',
  path: '/v1/members/{user_id}',
  tag: 'members',
  summary: 'Change the role of a member',
  description: 'One OWNER always remains.',
  may: owner,
  environment: 'none',
  params: MemberPath,
  body: MemberRoleRequest,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: { 200: { description: 'The member', schema: OrganizationMember } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const removeMember = defineOperation({
  id: 'removeMember',
  method: 'DELETE',
  path: '/v1/members/{user_id}',
  tag: 'members',
  summary: 'Remove a member, or leave',
  description:
    'The account is closed with all its tokens and sessions; its address may be invited or registered again. A MEMBER removes only itself, an ADMIN also MEMBERs. The last OWNER cannot leave.',
  may: { console_user: 'MEMBER' },
  environment: 'none',
  params: MemberPath,
  responses: { 200: { description: 'Removed', schema: MemberRemoveResponse } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const resetMemberFactors = defineOperation({
  id: 'resetMemberFactors',
  method: 'DELETE',
  path: '/v1/members/{user_id}/factors',
  tag: 'members',
  summary: 'Remove every second factor of another member',
  description:
    'For someone who has lost them. Ends every session of the member, who gets a notice by email where the server sends any.',
  may: owner,
  environment: 'none',
  params: MemberPath,
  responses: { 200: { description: 'Reset', schema: MemberFactorsResetResponse } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const handOverOwnership = defineOperation({
  id: 'handOverOwnership',
  method: 'POST',
  path: '/v1/organization/ownership',
  tag: 'members',
  summary: 'Hand the organization over to another member',
  description: 'The member becomes OWNER, and the caller ADMIN.',
  may: owner,
  environment: 'none',
  body: OwnershipRequest,
  maxBodyBytes: LIMITS.smallBodyBytes,
  responses: { 200: { description: 'The new owner', schema: OrganizationMember } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});
