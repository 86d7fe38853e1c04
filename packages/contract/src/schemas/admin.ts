import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { ENV_SCOPES, ORGANIZATION_ROLES } from '../principals.ts';
import { EnvAccessRecord, IntegratorApplicationRecord, REQUEST_DECISIONS } from './account.ts';
import { keyLimits, lastUse, overlap } from './app-credential.ts';
import { MEMBERSHIP_TIERS, SUBSCRIPTION_STATUSES } from './membership.ts';
import { nameOf } from './person-fields.ts';
import { KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });

/** Body of both decision operations. */
export const DecisionRequest = Type.Object(
  {
    decision: oneOf(REQUEST_DECISIONS),
    note: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  },
  { $id: 'DecisionRequest', ...strict },
);
export type DecisionRequest = Static<typeof DecisionRequest>;

const of = { organization_id: Id };
const named = { ...of, organization_name: Type.String() };

export const AdminEnvAccessListResponse = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          ...named,
          ...EnvAccessRecord.properties,
          reason_text: nullable(Type.String()),
          note: nullable(Type.String()),
        },
        strict,
      ),
    ),
  },
  { $id: 'AdminEnvAccessListResponse', ...strict },
);
export type AdminEnvAccessListResponse = Static<typeof AdminEnvAccessListResponse>;

export const AdminIntegratorListResponse = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          ...named,
          ...IntegratorApplicationRecord.properties,
          note: nullable(Type.String()),
        },
        strict,
      ),
    ),
  },
  { $id: 'AdminIntegratorListResponse', ...strict },
);
export type AdminIntegratorListResponse = Static<typeof AdminIntegratorListResponse>;

export const SubscriptionRequest = Type.Object(
  {
    plan_code: Type.String({ minLength: 1, maxLength: 64 }),
    status: Type.Optional(oneOf(SUBSCRIPTION_STATUSES, { default: 'ACTIVE' })),
  },
  { $id: 'SubscriptionRequest', ...strict },
);
export type SubscriptionRequest = Static<typeof SubscriptionRequest>;

/** @see docs/specification/billing.md#d116 */
export const SubscriptionRecord = Type.Object(
  {
    subscription_id: Id,
    ...of,
    plan_code: Type.String(),
    plan_name: Type.String(),
    status: oneOf(SUBSCRIPTION_STATUSES),
    env_scope: oneOf(ENV_SCOPES),
    current_period_start: KstTime,
    current_period_end: KstTime,
    canceled_at: nullable(KstTime),
  },
  { $id: 'SubscriptionRecord', ...strict },
);
export type SubscriptionRecord = Static<typeof SubscriptionRecord>;

/** An organization as operators see it. */
export const OrganizationRecord = Type.Object(
  {
    ...of,
    name: Type.String(),
    created_at: KstTime,
    members: Type.Integer({ minimum: 0 }),
    membership_tier: oneOf(MEMBERSHIP_TIERS),
    plan_code: Type.String(),
    plan_name: Type.String(),
    subscription_status: nullable(oneOf(SUBSCRIPTION_STATUSES)),
    current_period_end: nullable(KstTime),
    state: oneOf(['ACTIVE', 'DISABLED', 'DELETED'], {
      description: 'No person and no key of a disabled or deleted organization can authenticate',
    }),
  },
  { $id: 'OrganizationRecord', ...strict },
);
export type OrganizationRecord = Static<typeof OrganizationRecord>;

export const OrganizationListResponse = Type.Object(
  { items: Type.Array(OrganizationRecord), next_cursor: nullable(Type.String()) },
  { $id: 'OrganizationListResponse', ...strict },
);
export type OrganizationListResponse = Static<typeof OrganizationListResponse>;

export const MemberRequest = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320 }), role: oneOf(ORGANIZATION_ROLES) },
  { $id: 'MemberRequest', ...strict },
);
export type MemberRequest = Static<typeof MemberRequest>;

export const MemberRecord = Type.Object(
  { ...of, user_id: Id, email: Type.String(), role: oneOf(ORGANIZATION_ROLES) },
  { $id: 'MemberRecord', ...strict },
);
export type MemberRecord = Static<typeof MemberRecord>;

export const LegacyApiKeyIssueRequest = Type.Object(
  {
    ...of,
    env_scope: oneOf(ENV_SCOPES),
    label: nameOf(100),
    ...keyLimits,
  },
  { $id: 'LegacyApiKeyIssueRequest', ...strict },
);
export type LegacyApiKeyIssueRequest = Static<typeof LegacyApiKeyIssueRequest>;

const legacyApiKey = {
  key_id: Type.String(),
  ...of,
  env_scope: oneOf(ENV_SCOPES),
  label: Type.String(),
  created_at: KstTime,
  expires_at: nullable(KstTime),
  allowed_addresses: nullable(Type.Array(Type.String())),
  previous_key_expires_at: nullable(
    Type.String({
      ...KstTime,
      description: 'Until when the key before the last rotation still works',
    }),
  ),
};

export const LegacyApiKeyIssueResponse = Type.Object(
  { ...legacyApiKey, api_key: Type.String({ description: 'Shown only once' }) },
  { $id: 'LegacyApiKeyIssueResponse', ...strict },
);
export type LegacyApiKeyIssueResponse = Static<typeof LegacyApiKeyIssueResponse>;

export const LegacyApiKeyRotateRequest = Type.Object(overlap, {
  $id: 'LegacyApiKeyRotateRequest',
  ...strict,
});
export type LegacyApiKeyRotateRequest = Static<typeof LegacyApiKeyRotateRequest>;

export const LegacyApiKeyRotateResponse = Type.Object(LegacyApiKeyIssueResponse.properties, {
  $id: 'LegacyApiKeyRotateResponse',
  ...strict,
});
export type LegacyApiKeyRotateResponse = Static<typeof LegacyApiKeyRotateResponse>;

export const LegacyApiKeyRecord = Type.Object(
  { ...legacyApiKey, ...lastUse, revoked_at: nullable(KstTime) },
  { $id: 'LegacyApiKeyRecord', ...strict },
);
export type LegacyApiKeyRecord = Static<typeof LegacyApiKeyRecord>;

export const LegacyApiKeyListResponse = Type.Object(
  { items: Type.Array(LegacyApiKeyRecord) },
  { $id: 'LegacyApiKeyListResponse', ...strict },
);
export type LegacyApiKeyListResponse = Static<typeof LegacyApiKeyListResponse>;
