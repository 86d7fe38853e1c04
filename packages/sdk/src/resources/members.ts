import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface InvitationDetails extends Camel.InvitationRequest {}
export interface Invitation extends Camel.InvitationResponse {}
export interface InvitationList extends Camel.InvitationListResponse {}
export interface InvitationRevoked extends Camel.InvitationRevokeResponse {}
export interface InvitationAcceptance extends Camel.InvitationAcceptRequest {}
export interface InvitationAccepted extends Camel.InvitationAcceptResponse {}
export interface OrganizationPerson extends Camel.OrganizationMember {}
export interface MemberList extends Camel.OrganizationMemberListResponse {}
export interface Security extends Camel.OrganizationSecurity {}
export interface MemberRole extends Camel.MemberRoleRequest {}
export interface MemberFactorsReset extends Camel.MemberFactorsResetResponse {}
export interface MemberRemoved extends Camel.MemberRemoveResponse {}

/** The people of an organization. All but acceptInvitation need a console token. */
export class Members {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Invites an address. `link` is set if the service sends no email: pass it on in person. */
  invite(body: InvitationDetails, options?: RequestOptions): Reply<Invitation> {
    return this.#caller.call('inviteMember', { body }, options);
  }

  /** The open invitations, newest first. */
  listInvitations(options?: RequestOptions): Reply<InvitationList> {
    return this.#caller.call('listInvitations', {}, options);
  }

  revokeInvitation(invitationId: string, options?: RequestOptions): Reply<InvitationRevoked> {
    return this.#caller.call('revokeInvitation', { path: { invitationId } }, options);
  }

  /** Joins with the token of an invitation's link. Needs no credentials. */
  acceptInvitation(
    body: InvitationAcceptance,
    options?: RequestOptions,
  ): Reply<InvitationAccepted> {
    return this.#caller.call('acceptInvitation', { body }, options);
  }

  list(options?: RequestOptions): Reply<MemberList> {
    return this.#caller.call('listMembers', {}, options);
  }

  setRole(userId: number, body: MemberRole, options?: RequestOptions): Reply<OrganizationPerson> {
    return this.#caller.call('setMemberRole', { path: { userId }, body }, options);
  }

  /** Closes a member's account, or the caller's own. It cannot be undone. */
  remove(userId: number, options?: RequestOptions): Reply<MemberRemoved> {
    return this.#caller.call('removeMember', { path: { userId } }, options);
  }

  /** Removes all second factors of another member who has lost them. OWNER only. */
  resetFactors(userId: number, options?: RequestOptions): Reply<MemberFactorsReset> {
    return this.#caller.call('resetMemberFactors', { path: { userId } }, options);
  }

  /** Requires a second factor of every member, from the next request on. OWNER only. */
  setSecurity(body: Security, options?: RequestOptions): Reply<Security> {
    return this.#caller.call('setOrganizationSecurity', { body }, options);
  }

  /** Makes another member the owner; the caller becomes ADMIN. */
  handOver(userId: number, options?: RequestOptions): Reply<OrganizationPerson> {
    return this.#caller.call('handOverOwnership', { body: { userId } }, options);
  }
}
