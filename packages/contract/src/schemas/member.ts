import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { ORGANIZATION_ROLES } from '../principals.ts';
import { FactorCode } from './factor.ts';
import { PasskeyProof } from './passkey.ts';
import { Email, Password, properNameOf } from './person-fields.ts';
import { KstTime, nullable, oneOf, strict, UuidV4 } from './vocabulary.ts';

const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });
const Role = oneOf(ORGANIZATION_ROLES);
/** What a one-time link carries. */
const LinkToken = Type.String({
  minLength: 16,
  maxLength: 512,
  description: 'The part of the link after `token=`',
});

export const InvitationRequest = Type.Object(
  { email: Email, role: Role },
  { $id: 'InvitationRequest', ...strict },
);
export type InvitationRequest = Static<typeof InvitationRequest>;

const invitationFields = {
  invitation_id: UuidV4,
  email: Type.String(),
  role: Role,
  created_at: KstTime,
  expires_at: KstTime,
};

export const InvitationResponse = Type.Object(
  {
    ...invitationFields,
    link: nullable(
      Type.String({
        description:
          'One-time link to hand over in person, shown only once; null where the service sends it by email',
      }),
    ),
  },
  { $id: 'InvitationResponse', ...strict },
);
export type InvitationResponse = Static<typeof InvitationResponse>;

export const InvitationRecord = Type.Object(
  { ...invitationFields, invited_by: Id },
  { $id: 'InvitationRecord', ...strict },
);
export type InvitationRecord = Static<typeof InvitationRecord>;

export const InvitationListResponse = Type.Object(
  { items: Type.Array(InvitationRecord) },
  { $id: 'InvitationListResponse', ...strict },
);
export type InvitationListResponse = Static<typeof InvitationListResponse>;

export const InvitationRevokeResponse = Type.Object(
  { invitation_id: UuidV4, status: Type.Literal('REVOKED') },
  { $id: 'InvitationRevokeResponse', ...strict },
);
export type InvitationRevokeResponse = Static<typeof InvitationRevokeResponse>;

export const InvitationAcceptRequest = Type.Object(
  {
    token: LinkToken,
    password: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'A new password, or that of the account which the address already has',
    }),
    factor_code: Type.Optional(FactorCode),
    passkey: Type.Optional(PasskeyProof),
    name: Type.Optional(nullable(properNameOf(100, 'Required of a new account'))),
    agree_terms: Type.Optional(Type.Boolean({ default: false })),
    agree_privacy: Type.Optional(Type.Boolean({ default: false })),
  },
  { $id: 'InvitationAcceptRequest', ...strict },
);
export type InvitationAcceptRequest = Static<typeof InvitationAcceptRequest>;

export const InvitationAcceptResponse = Type.Object(
  {
    user_id: Id,
    email: Type.String(),
    organization: Type.Object({ organization_id: Id, name: Type.String() }, strict),
    role: Role,
  },
  { $id: 'InvitationAcceptResponse', ...strict },
);
export type InvitationAcceptResponse = Static<typeof InvitationAcceptResponse>;

export const OrganizationMember = Type.Object(
  {
    user_id: Id,
    email: Type.String(),
    name: Type.String(),
    role: Role,
    email_verified: Type.Boolean(),
    second_factor: Type.Boolean(),
    joined_at: nullable(KstTime),
  },
  { $id: 'OrganizationMember', ...strict },
);
export type OrganizationMember = Static<typeof OrganizationMember>;

export const OrganizationMemberListResponse = Type.Object(
  { items: Type.Array(OrganizationMember) },
  { $id: 'OrganizationMemberListResponse', ...strict },
);
export type OrganizationMemberListResponse = Static<typeof OrganizationMemberListResponse>;

export const MemberRoleRequest = Type.Object(
  { role: Role },
  { $id: 'MemberRoleRequest', ...strict },
);
export type MemberRoleRequest = Static<typeof MemberRoleRequest>;

export const MemberRemoveResponse = Type.Object(
  { user_id: Id, status: Type.Literal('REMOVED') },
  { $id: 'MemberRemoveResponse', ...strict },
);
export type MemberRemoveResponse = Static<typeof MemberRemoveResponse>;

export const MemberFactorsResetResponse = Type.Object(
  { user_id: Id, status: Type.Literal('RESET') },
  { $id: 'MemberFactorsResetResponse', ...strict },
);
export type MemberFactorsResetResponse = Static<typeof MemberFactorsResetResponse>;

export const OwnershipRequest = Type.Object(
  { user_id: Id },
  { $id: 'OwnershipRequest', ...strict },
);
export type OwnershipRequest = Static<typeof OwnershipRequest>;

export const EmailVerifyRequest = Type.Object(
  { token: LinkToken },
  { $id: 'EmailVerifyRequest', ...strict },
);
export type EmailVerifyRequest = Static<typeof EmailVerifyRequest>;

export const EmailVerifyResponse = Type.Object(
  { email: Type.String(), status: Type.Literal('VERIFIED') },
  { $id: 'EmailVerifyResponse', ...strict },
);
export type EmailVerifyResponse = Static<typeof EmailVerifyResponse>;

/** Says nothing about the address: it is the same for known and unknown ones. */
export const LinkSentResponse = Type.Object(
  { status: Type.Literal('ACCEPTED') },
  { $id: 'LinkSentResponse', ...strict },
);
export type LinkSentResponse = Static<typeof LinkSentResponse>;

export const PasswordResetRequest = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320 }) },
  { $id: 'PasswordResetRequest', ...strict },
);
export type PasswordResetRequest = Static<typeof PasswordResetRequest>;

export const PasswordResetConfirmRequest = Type.Object(
  { token: LinkToken, new_password: Password },
  { $id: 'PasswordResetConfirmRequest', ...strict },
);
export type PasswordResetConfirmRequest = Static<typeof PasswordResetConfirmRequest>;

export const PasswordResetConfirmResponse = Type.Object(
  { changed_at: KstTime },
  { $id: 'PasswordResetConfirmResponse', ...strict },
);
export type PasswordResetConfirmResponse = Static<typeof PasswordResetConfirmResponse>;
