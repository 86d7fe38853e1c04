import { type Static, Type } from 'typebox';
import { ENV_SCOPES } from '../principals.ts';
import { nameOf } from './person-fields.ts';
import { addition, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

export const INTEGRATION_PROFILES = ['standard_external', 'desktop_agent'] as const;
export type IntegrationProfile = (typeof INTEGRATION_PROFILES)[number];

/** An action id, the beginning of one followed by `.*` (`bank_b.*`), or `*`. */
export const ActionPattern = Type.String({ pattern: '^(\\*|[a-z][a-z0-9_.]{0,62}(\\.\\*)?)$' });

/** Not part of the base specification. */
const leastPrivilege = {
  read_only: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Refuses irreversible actions, deleting files and changing links',
      'x-addition': true,
    }),
  ),
  allowed_actions: Type.Optional(
    nullable(
      Type.Array(ActionPattern, {
        minItems: 1,
        maxItems: 100,
        description:
          'Action ids; `bank_b.*` stands for every action under `bank_b.`; null allows every action',
        'x-addition': true,
      }),
    ),
  ),
  allow_irreversible_tools: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Offers irreversible actions on POST /mcp',
      'x-addition': true,
    }),
  ),
  manage_webhooks: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'May create and change webhooks of its environments',
      'x-addition': true,
    }),
  ),
};

/** What every kind of key may be limited to. */
export const keyLimits = {
  expires_at: Type.Optional(
    nullable(
      Type.String({
        format: 'date-time',
        description: 'From then on the key is refused; null or left out: never',
        'x-addition': true,
      }),
    ),
  ),
  allowed_addresses: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 2, maxLength: 43 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'IP addresses and ranges in CIDR notation that the key may be used from; null or left out: any',
        examples: [['203.0.113.0/24', '2001:db8::/32']],
        'x-addition': true,
      }),
    ),
  ),
};

/** Body of POST /v1/app-credentials. */
export const AppCredentialIssueRequest = Type.Object(
  {
    label: nameOf(100),
    allowed_env_scopes: Type.Optional(nullable(Type.Array(oneOf(ENV_SCOPES), { minItems: 1 }))),
    integration_profile: Type.Optional(nullable(oneOf(INTEGRATION_PROFILES))),
    ...leastPrivilege,
    ...keyLimits,
  },
  { $id: 'AppCredentialIssueRequest', ...strict },
);
export type AppCredentialIssueRequest = Static<typeof AppCredentialIssueRequest>;

const shown = {
  client_id: Type.String({ pattern: '^cli_[0-9A-HJKMNP-TV-Z]{26}$' }),
  label: Type.String(),
  allowed_env_scopes: Type.Array(oneOf(ENV_SCOPES)),
  integration_profile: oneOf(INTEGRATION_PROFILES),
  read_only: addition(Type.Boolean()),
  allowed_actions: addition(nullable(Type.Array(Type.String()))),
  allow_irreversible_tools: addition(Type.Boolean()),
  manage_webhooks: addition(Type.Boolean()),
  created_at: KstTime,
  expires_at: addition(nullable(KstTime)),
  allowed_addresses: addition(nullable(Type.Array(Type.String()))),
  previous_secret_expires_at: nullable(
    Type.String({
      ...KstTime,
      description: 'Until when the secret before the last rotation still works',
      'x-addition': true,
    }),
  ),
};

export const AppCredentialIssueResponse = Type.Object(
  {
    ...shown,
    client_secret: Type.String({ description: 'Shown only once' }),
    status: Type.Literal('ACTIVE'),
  },
  { $id: 'AppCredentialIssueResponse', ...strict },
);
export type AppCredentialIssueResponse = Static<typeof AppCredentialIssueResponse>;

export const REVOKED_REASONS = [
  'user_request',
  'admin_action',
  'security_incident',
  'superseded',
] as const;
export type RevokedReason = (typeof REVOKED_REASONS)[number];

export const lastUse = {
  last_used_on: nullable(
    Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'Korean calendar day' }),
  ),
  last_used_address: nullable(Type.String()),
};

export const AppCredentialRecord = Type.Object(
  {
    ...shown,
    status: oneOf(['ACTIVE', 'EXPIRED', 'REVOKED']),
    ...lastUse,
    revoked_at: nullable(KstTime),
    revoked_reason: nullable(oneOf(REVOKED_REASONS)),
  },
  { $id: 'AppCredentialRecord', ...strict },
);
export type AppCredentialRecord = Static<typeof AppCredentialRecord>;

export const AppCredentialListResponse = Type.Object(
  { items: Type.Array(AppCredentialRecord) },
  { $id: 'AppCredentialListResponse', ...strict },
);
export type AppCredentialListResponse = Static<typeof AppCredentialListResponse>;

export const overlap = {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: 'How long the old secret still works',
    }),
  ),
};

export const AppCredentialRotateRequest = Type.Object(overlap, {
  $id: 'AppCredentialRotateRequest',
  ...strict,
});
export type AppCredentialRotateRequest = Static<typeof AppCredentialRotateRequest>;

export const AppCredentialRotateResponse = Type.Object(AppCredentialIssueResponse.properties, {
  $id: 'AppCredentialRotateResponse',
  ...strict,
});
export type AppCredentialRotateResponse = Static<typeof AppCredentialRotateResponse>;

/** Accepts any string: an unknown reason is REVOKED_REASON_FORBIDDEN, not a schema error. */
export const AppCredentialRevokeRequest = Type.Object(
  { revoked_reason: Type.Optional(nullable(Type.String())) },
  { $id: 'AppCredentialRevokeRequest', ...strict },
);
export type AppCredentialRevokeRequest = Static<typeof AppCredentialRevokeRequest>;

export const AppCredentialRevokeResponse = Type.Object(
  {
    client_id: Type.String(),
    status: Type.Literal('REVOKED'),
    revoked_at: KstTime,
    revoked_reason: oneOf(REVOKED_REASONS),
  },
  { $id: 'AppCredentialRevokeResponse', ...strict },
);
export type AppCredentialRevokeResponse = Static<typeof AppCredentialRevokeResponse>;
