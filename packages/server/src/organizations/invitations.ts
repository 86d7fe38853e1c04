import { randomUUID } from 'node:crypto';
import type { Registration } from '@changgu/contract';
import type {
  InvitationAcceptRequest,
  InvitationAcceptResponse,
  InvitationListResponse,
  InvitationRequest,
  InvitationResponse,
  InvitationRevokeResponse,
} from '@changgu/contract/schemas';
import { hashPassword } from '../crypto/password.ts';
import type { PostOffice } from '../mail/post-office.ts';
import { hashOneTimeToken, newOneTimeToken } from '../principals/one-time-token.ts';
import { type PasskeyDependencies, provePasskey } from '../principals/passkeys.ts';
import type { PasswordCheck } from '../principals/password-check.ts';
import { provePassword } from '../principals/prove-password.ts';
import { type FactorDependencies, secondProof } from '../principals/second-factor.ts';
import { normalizeEmail } from '../rules/identity/email.ts';
import { kstTime } from '../rules/kst.ts';
import { assertRegistrationOpen } from '../rules/organizations/registration.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { invalidShape, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { Invitation } from '../store/people/invitations.ts';

interface InviteDependencies {
  readonly store: Pick<Store, 'invitations' | 'users'>;
  readonly postOffice: PostOffice;
}

/**
 * Invites an address. Its owner is not looked up, so that inviting reveals nothing about it.
 * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL, CONFLICT_DUPLICATE, POLICY_LIMIT_REACHED
 */
export async function invite(
  { store, postOffice }: InviteDependencies,
  principal: ConsolePrincipal,
  request: InvitationRequest,
  origin: RequestOrigin,
): Promise<InvitationResponse> {
  const { organizationId, userId } = principal;
  const inviter = await store.users.find({ userId });
  if (inviter === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  const email = normalizeEmail(request.email);
  const { token, tokenHash } = newOneTimeToken();
  const organization = inviter.organizationName;
  const { letter, link } = await postOffice.write('invitation', { to: email, token, organization });
  const invitation = await store.invitations.create({
    id: randomUUID(),
    organizationId,
    userId,
    email,
    role: request.role,
    tokenHash,
    letter,
    actor: actorOf(principal, origin),
  });
  postOffice.hurry();
  if (letter === null) postOffice.tell('invitation', link);
  return { ...invitationView(invitation), link: letter === null ? link : null };
}

function invitationView({ id, email, role, createdAt, expiresAt }: Invitation) {
  return {
    invitation_id: id,
    email,
    role,
    created_at: kstTime(createdAt),
    expires_at: kstTime(expiresAt),
  };
}

export async function listInvitations(
  { invitations }: Pick<Store, 'invitations'>,
  organizationId: number,
): Promise<InvitationListResponse> {
  const open = await invitations.list(organizationId);
  return {
    items: open.map((each) => ({ ...invitationView(each), invited_by: each.invitedBy })),
  };
}

/** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL */
export async function revokeInvitation(
  { invitations }: Pick<Store, 'invitations'>,
  principal: ConsolePrincipal,
  id: string,
  origin: RequestOrigin,
): Promise<InvitationRevokeResponse> {
  const { organizationId, userId } = principal;
  await invitations.revoke({ id, organizationId, userId, actor: actorOf(principal, origin) });
  return { invitation_id: id, status: 'REVOKED' };
}

interface AcceptDependencies extends Pick<FactorDependencies, 'vault' | 'clock'> {
  readonly store: Pick<Store, 'invitations' | 'users' | 'loginAttempts' | 'audit' | 'factors'>;
  readonly registration: Registration;
  readonly passwordCheck: PasswordCheck;
  readonly passkeys: PasskeyDependencies;
}

/**
 * Joins an organization: with a new account, or with the existing account of the address, which its password
 * proves. The link alone is not enough, because the inviter may have passed it on.
 * @throws ServiceError LINK_INVALID, AUTH_INVALID_CREDENTIALS, AUTH_FACTOR_REQUIRED, FACTOR_CODE_INVALID,
 * PASSKEY_INVALID, RATE_LIMITED, CONSENT_REQUIRED, PASSWORD_POLICY, CONFLICT_STATE, REGISTRATION_CLOSED, 422 without a name
 */
export async function acceptInvitation(
  dependencies: AcceptDependencies,
  request: InvitationAcceptRequest,
  origin: RequestOrigin,
): Promise<InvitationAcceptResponse> {
  const { store } = dependencies;
  const tokenHash = hashOneTimeToken(request.token);
  const invitation = await store.invitations.find(tokenHash);
  if (invitation === null) throw new ServiceError('LINK_INVALID');
  const { email, account } = invitation;
  const user = account
    ? await provenAccount(dependencies, email, request, origin)
    : await newAccount(dependencies, email, request);
  const joined = await store.invitations.accept({ tokenHash, user, origin });
  return {
    user_id: joined.userId,
    email: joined.email,
    organization: { organization_id: joined.organizationId, name: joined.organizationName },
    role: joined.role,
  };
}

async function provenAccount(
  dependencies: AcceptDependencies,
  email: string,
  { password, factor_code, passkey }: InvitationAcceptRequest,
  origin: RequestOrigin,
) {
  const { passkeys } = dependencies;
  const signer = passkey && (() => provePasskey(passkeys, passkey, origin));
  const second = secondProof(dependencies, factor_code, signer);
  const user = await provePassword(dependencies.store, { email, password }, origin, second);
  if (user === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return { userId: user.userId };
}

async function newAccount(
  { registration, passwordCheck }: Pick<AcceptDependencies, 'registration' | 'passwordCheck'>,
  email: string,
  request: InvitationAcceptRequest,
) {
  assertRegistrationOpen(registration, 'invited');
  const { name, password } = request;
  if (name === undefined || name === null) {
    throw invalidShape([{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }]);
  }
  if (!(request.agree_terms && request.agree_privacy)) throw new ServiceError('CONSENT_REQUIRED');
  await passwordCheck(password, { email, name });
  return { name, passwordHash: await hashPassword(password) };
}
