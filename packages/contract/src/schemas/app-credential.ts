import { type Static, Type } from 'typebox';
import { ENV_SCOPES } from '../principals.ts';
import { KstTime, nullable, oneOf, strict } from './vocabulary.ts';

export const INTEGRATION_PROFILES = ['standard_external', 'desktop_agent'] as const;
export type IntegrationProfile = (typeof INTEGRATION_PROFILES)[number];

/** An action id, or the beginning of one and `*`: `bank_b.*`. */
export const ActionPattern = Type.String({ pattern: '^(\\*|[a-z][a-z0-9_.]{0,62}(\\.\\*)?)$' });

/** Beyond the specification. */
const leastPrivilege = {
  read_only: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Refuses irreversible actions',
      'x-addition': true,
    }),
  ),
  allowed_actions: Type.Optional(
    nullable(
      Type.Array(ActionPattern, {
        minItems: 1,
        maxItems: 100,
        description:
          'Action ids; a trailing `*` matches every id with that prefix; null allows every action',
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
};

/** Body of POST /v1/app-credentials. */
export const AppCredentialIssueRequest = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 100 }),
    allowed_env_scopes: Type.Optional(nullable(Type.Array(oneOf(ENV_SCOPES), { minItems: 1 }))),
    integration_profile: Type.Optional(nullable(oneOf(INTEGRATION_PROFILES))),
    ...leastPrivilege,
  },
  { $id: 'AppCredentialIssueRequest', ...strict },
);
export type AppCredentialIssueRequest = Static<typeof AppCredentialIssueRequest>;

const shown = {
  client_id: Type.String({ pattern: '^cli_[0-9A-HJKMNP-TV-Z]{26}$' }),
  label: Type.String(),
  allowed_env_scopes: Type.Array(oneOf(ENV_SCOPES)),
  integration_profile: oneOf(INTEGRATION_PROFILES),
  read_only: Type.Boolean(),
  allowed_actions: nullable(Type.Array(Type.String())),
  allow_irreversible_tools: Type.Boolean(),
  created_at: KstTime,
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

export const AppCredentialRecord = Type.Object(
  {
    ...shown,
    status: oneOf(['ACTIVE', 'REVOKED']),
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

/** Any string is let through: a reason outside the set is REVOKED_REASON_FORBIDDEN, not a shape. */
export const AppCredentialRevokeRequest = Type.Object(
  { revoked_reason: Type.Optional(nullable(Type.String({ maxLength: 64 }))) },
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
