import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import {
  EmailVerifyRequest,
  EmailVerifyResponse,
  InvitationAcceptRequest,
  InvitationAcceptResponse,
  LinkSentResponse,
  PasswordResetConfirmRequest,
  PasswordResetConfirmResponse,
  PasswordResetRequest,
} from '../schemas/member.ts';

/** The link itself authorizes the call. */
const byLink = { may: 'anyone', environment: 'none', maxBodyBytes: LIMITS.smallBodyBytes } as const;

export const acceptInvitation = defineOperation({
  ...byLink,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/v1/auth/invitations/accept',
  tag: 'members',
  summary: 'Accept an invitation',
  description:
    'A new person chooses a name and a password and agrees to the terms. An address that has an account sends the password of the account, and its second factor if there is one; the account then moves: the organization that it leaves closes, and must have no other member, no key, no link, no open subscription and no unfinished job.',
  body: InvitationAcceptRequest,
  responses: { 200: { description: 'The membership', schema: InvitationAcceptResponse } },
  errors: [
    'LINK_INVALID',
    'AUTH_INVALID_CREDENTIALS',
    'AUTH_FACTOR_REQUIRED',
    'FACTOR_CODE_INVALID',
    'PASSKEY_INVALID',
    'CONSENT_REQUIRED',
    'PASSWORD_POLICY',
    'REGISTRATION_CLOSED',
    'CONFLICT_STATE',
  ],
  addition: true,
});

export const verifyEmail = defineOperation({
  ...byLink,
  id: 'verifyEmail',
  method: 'POST',
  path: '/v1/auth/verify-email',
  tag: 'account',
  summary: 'Confirm an email address',
  body: EmailVerifyRequest,
  responses: { 200: { description: 'Confirmed', schema: EmailVerifyResponse } },
  errors: ['LINK_INVALID'],
  addition: true,
});

export const requestEmailVerification = defineOperation({
  id: 'requestEmailVerification',
  method: 'POST',
  path: '/v1/me/email-verification',
  tag: 'account',
  summary: 'Send the link that confirms the email address again',
  may: { console_user: 'MEMBER' },
  environment: 'none',
  responses: { 202: { description: 'The link is on its way', schema: LinkSentResponse } },
  errors: ['MAIL_NOT_CONFIGURED', 'CONFLICT_STATE'],
  addition: true,
});

export const requestPasswordReset = defineOperation({
  ...byLink,
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/v1/auth/password-reset',
  tag: 'account',
  summary: 'Send a link that resets the password',
  description: 'Known and unknown addresses get the same response in the same time.',
  body: PasswordResetRequest,
  responses: { 202: { description: 'Accepted', schema: LinkSentResponse } },
  errors: ['MAIL_NOT_CONFIGURED'],
  addition: true,
});

export const confirmPasswordReset = defineOperation({
  ...byLink,
  id: 'confirmPasswordReset',
  method: 'POST',
  path: '/v1/auth/password-reset/confirm',
  tag: 'account',
  summary: 'Choose a new password with a reset link',
  description:
    'Ends every session of the user. A second factor stays, unless this is the first proof of the address: then the second factors, OAuth approvals, open invitations and deletion request of the account end, because someone else may have registered it, and in an organization that it founded also keys and webhooks.',
  body: PasswordResetConfirmRequest,
  responses: { 200: { description: 'Changed', schema: PasswordResetConfirmResponse } },
  errors: ['LINK_INVALID', 'PASSWORD_POLICY'],
  addition: true,
});
