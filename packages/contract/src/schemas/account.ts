import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { ORGANIZATION_ROLES } from '../principals.ts';
import { FactorCode } from './factor.ts';
import { PasskeyProof } from './passkey.ts';
import { Email, nameOf, OwnPassword, Password, properNameOf } from './person-fields.ts';
import { addition, KstTime, nullable, oneOf, strict, UuidV4 } from './vocabulary.ts';

/** All but MARKETING are required: revoking one blocks new jobs. */
export const CONSENT_TYPES = [
  'TERMS_OF_SERVICE',
  'PRIVACY_POLICY',
  'CREDENTIAL_STORAGE',
  'THIRD_PARTY_PROVISION',
  'MARKETING',
] as const;
export type ConsentType = (typeof CONSENT_TYPES)[number];

export const REQUEST_DECISIONS = ['APPROVED', 'REJECTED'] as const;
export type RequestDecision = (typeof REQUEST_DECISIONS)[number];

const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });

/** Body of POST /v1/auth/register. */
export const RegisterRequest = Type.Object(
  {
    email: Email,
    password: Password,
    name: properNameOf(100),
    phone: Type.Optional(
      nullable(Type.String({ description: 'Korean mobile number', examples: ['010-1234-5678'] })),
    ),
    company_name: Type.Optional(nullable(properNameOf(200))),
    business_number: Type.Optional(
      nullable(Type.String({ description: 'Ten digits, hyphens allowed' })),
    ),
    agree_terms: Type.Optional(Type.Boolean({ default: false })),
    agree_privacy: Type.Optional(Type.Boolean({ default: false })),
  },
  { $id: 'RegisterRequest', ...strict },
);
export type RegisterRequest = Static<typeof RegisterRequest>;

export const RegisterResponse = Type.Object(
  {
    user_id: Id,
    email: Type.String(),
    name: Type.String(),
    organization_id: Id,
    membership_tier: Type.Literal('FREE'),
    created_at: KstTime,
  },
  { $id: 'RegisterResponse', ...strict },
);
export type RegisterResponse = Static<typeof RegisterResponse>;

export const LoginRequest = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 320 }),
    password: Password,
    factor_code: Type.Optional(addition(FactorCode)),
    passkey: Type.Optional(addition(PasskeyProof)),
    cookie: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'For browsers: sets a session cookie, and the answer holds no token',
        'x-addition': true,
      }),
    ),
  },
  { $id: 'LoginRequest', ...strict },
);
export type LoginRequest = Static<typeof LoginRequest>;

export const LoginResponse = Type.Object(
  {
    access_token: Type.String({ description: 'JWT signed with EdDSA' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds' }),
    user: Type.Object({ user_id: Id, email: Type.String(), name: Type.String() }, strict),
    organization: Type.Object(
      { organization_id: Id, name: Type.String(), role: oneOf(ORGANIZATION_ROLES) },
      strict,
    ),
  },
  { $id: 'LoginResponse', ...strict },
);
export type LoginResponse = Static<typeof LoginResponse>;

export const PasswordChangeRequest = Type.Object(
  { current_password: Password, new_password: Password },
  { $id: 'PasswordChangeRequest', ...strict },
);
export type PasswordChangeRequest = Static<typeof PasswordChangeRequest>;

export const PasswordChangeResponse = Type.Object(
  {
    changed_at: KstTime,
    access_token: Type.String({ description: 'Replaces every token issued earlier' }),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds' }),
  },
  { $id: 'PasswordChangeResponse', ...strict },
);
export type PasswordChangeResponse = Static<typeof PasswordChangeResponse>;

export const CookiePasswordChangeResponse = Type.Object(
  {
    changed_at: KstTime,
    csrf_token: Type.String({ description: 'Belongs to the new session cookie' }),
    expires_at: KstTime,
  },
  { $id: 'CookiePasswordChangeResponse', ...strict },
);
export type CookiePasswordChangeResponse = Static<typeof CookiePasswordChangeResponse>;

export const DeletionRequest = Type.Object(
  { password: OwnPassword, reason_text: Type.Optional(nullable(Type.String({ maxLength: 2000 }))) },
  { $id: 'DeletionRequest', ...strict },
);
export type DeletionRequest = Static<typeof DeletionRequest>;

export const DeletionResponse = Type.Object(
  {
    request_uuid: UuidV4,
    status: Type.Literal('PENDING'),
    requested_at: KstTime,
    scheduled_at: KstTime,
  },
  { $id: 'DeletionResponse', ...strict },
);
export type DeletionResponse = Static<typeof DeletionResponse>;

export const DeletionListResponse = Type.Object(
  { items: Type.Array(DeletionResponse) },
  { $id: 'DeletionListResponse', ...strict },
);
export type DeletionListResponse = Static<typeof DeletionListResponse>;

export const DeletionCancelRequest = Type.Object(
  { password: OwnPassword, reason: Type.Optional(nullable(Type.String({ maxLength: 2000 }))) },
  { $id: 'DeletionCancelRequest', ...strict },
);
export type DeletionCancelRequest = Static<typeof DeletionCancelRequest>;

export const DeletionCancelResponse = Type.Object(
  { request_uuid: UuidV4, status: Type.Literal('CANCELED'), canceled_at: KstTime },
  { $id: 'DeletionCancelResponse', ...strict },
);
export type DeletionCancelResponse = Static<typeof DeletionCancelResponse>;

export const EnvAccessRequest = Type.Object(
  {
    requested_target_env: Type.Literal('real_test'),
    reason_text: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  },
  { $id: 'EnvAccessRequest', ...strict },
);
export type EnvAccessRequest = Static<typeof EnvAccessRequest>;

export const EnvAccessRecord = Type.Object(
  {
    request_id: Id,
    requested_target_env: Type.Literal('real_test'),
    status: oneOf(['PENDING', ...REQUEST_DECISIONS]),
    created_at: KstTime,
    decided_at: nullable(KstTime),
  },
  { $id: 'EnvAccessRecord', ...strict },
);
export type EnvAccessRecord = Static<typeof EnvAccessRecord>;

export const EnvAccessListResponse = Type.Object(
  { items: Type.Array(EnvAccessRecord) },
  { $id: 'EnvAccessListResponse', ...strict },
);
export type EnvAccessListResponse = Static<typeof EnvAccessListResponse>;

const integratorFields = {
  company_name: nameOf(200),
  contact_email: Type.String({ minLength: 1, maxLength: 320 }),
  terms_agreed: Type.Literal(true),
  use_case_text: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  expected_customer_count: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  ),
  requested_plan_code: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
};

export const IntegratorApplicationRequest = Type.Object(integratorFields, {
  $id: 'IntegratorApplicationRequest',
  ...strict,
});
export type IntegratorApplicationRequest = Static<typeof IntegratorApplicationRequest>;

export const REISSUE_REASONS = ['lost_secret', 'security_incident', 'rotation'] as const;
export type ReissueReason = (typeof REISSUE_REASONS)[number];

export const IntegratorReissueRequest = Type.Object(
  {
    ...integratorFields,
    reissue_reason: oneOf(REISSUE_REASONS),
    revoke_client_id: Type.String({ minLength: 1, maxLength: 64 }),
  },
  { $id: 'IntegratorReissueRequest', ...strict },
);
export type IntegratorReissueRequest = Static<typeof IntegratorReissueRequest>;

export const IntegratorApplicationRecord = Type.Object(
  {
    application_id: Id,
    status: oneOf(['SUBMITTED', ...REQUEST_DECISIONS]),
    company_name: Type.String(),
    contact_email: Type.String(),
    use_case_text: nullable(Type.String()),
    expected_customer_count: nullable(Type.Integer({ minimum: 0 })),
    requested_plan_code: nullable(Type.String()),
    reissue_reason: nullable(oneOf(REISSUE_REASONS)),
    revoke_client_id: nullable(Type.String()),
    submitted_at: KstTime,
    decided_at: nullable(KstTime),
  },
  { $id: 'IntegratorApplicationRecord', ...strict },
);
export type IntegratorApplicationRecord = Static<typeof IntegratorApplicationRecord>;

export const IntegratorApplicationListResponse = Type.Object(
  { items: Type.Array(IntegratorApplicationRecord) },
  { $id: 'IntegratorApplicationListResponse', ...strict },
);
export type IntegratorApplicationListResponse = Static<typeof IntegratorApplicationListResponse>;

export const HandoffResponse = Type.Object(
  { handoff_token: Type.String(), expires_at: KstTime },
  { $id: 'HandoffResponse', ...strict },
);
export type HandoffResponse = Static<typeof HandoffResponse>;

export const HandoffExchangeRequest = Type.Object(
  { handoff_token: Type.String({ minLength: 16, maxLength: 512 }) },
  { $id: 'HandoffExchangeRequest', ...strict },
);
export type HandoffExchangeRequest = Static<typeof HandoffExchangeRequest>;

export const HandoffExchangeResponse = Type.Object(
  { client_id: Type.String(), client_secret: Type.String() },
  { $id: 'HandoffExchangeResponse', ...strict },
);
export type HandoffExchangeResponse = Static<typeof HandoffExchangeResponse>;

export const ConsentRequest = Type.Object(
  { consent_type: oneOf(CONSENT_TYPES), action: oneOf(['GRANT', 'REVOKE']) },
  { $id: 'ConsentRequest', ...strict },
);
export type ConsentRequest = Static<typeof ConsentRequest>;

export const ConsentRecord = Type.Object(
  {
    consent_id: Id,
    consent_type: oneOf(CONSENT_TYPES),
    action: oneOf(['GRANT', 'REVOKE']),
    recorded_at: KstTime,
  },
  { $id: 'ConsentRecord', ...strict },
);
export type ConsentRecord = Static<typeof ConsentRecord>;
