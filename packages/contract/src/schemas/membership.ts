import { type Static, Type } from 'typebox';
import { ORGANIZATION_ROLES, PRINCIPAL_KINDS } from '../principals.ts';
import { addition, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

export const MEMBERSHIP_TIERS = ['FREE', 'PAID'] as const;
export type MembershipTier = (typeof MEMBERSHIP_TIERS)[number];

export const SUBSCRIPTION_STATUSES = ['ACTIVE', 'PAUSED', 'CANCELED', 'EXPIRED'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const Count = Type.Integer({ minimum: 0 });

export const Quota = Type.Object(
  {
    limit: Count,
    used: Count,
    remaining: Count,
    reset_at: KstTime,
    period: oneOf(['day', 'month']),
  },
  { $id: 'Quota', ...strict },
);
export type Quota = Static<typeof Quota>;

export const RateLimit = Type.Object(
  {
    window_seconds: Type.Integer({ minimum: 1 }),
    limit: Count,
    used: Count,
    remaining: Count,
    reset_at: KstTime,
  },
  { $id: 'RateLimit', ...strict },
);
export type RateLimit = Static<typeof RateLimit>;

export const Storage = Type.Object(
  {
    limit_bytes: Count,
    used_bytes: Type.Integer({
      minimum: 0,
      description: 'Params, results and files of jobs, and 1 KiB for each job',
    }),
  },
  { $id: 'Storage', ...strict },
);
export type Storage = Static<typeof Storage>;

/** What an application credential was issued for. */
export const KeyRights = Type.Object(
  {
    read_only: Type.Boolean({
      description: 'Whether irreversible actions, deleting files and changing links are refused',
    }),
    allowed_actions: nullable(
      Type.Array(Type.String(), { description: 'Patterns of action ids; null for every action' }),
    ),
    allow_irreversible_tools: Type.Boolean({
      description: 'Whether agents may run irreversible actions with this key',
    }),
  },
  { $id: 'KeyRights', ...strict },
);
export type KeyRights = Static<typeof KeyRights>;

/** GET /v1/membership/me. Keys that the specification calls absent are absent, not null. */
export const MembershipResponse = Type.Object(
  {
    success: Type.Literal(true),
    policy_decision_id: Type.String({ pattern: '^pd_[0-9A-HJKMNP-TV-Z]{26}$' }),
    principal_kind: nullable(oneOf(PRINCIPAL_KINDS)),
    organization_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Absent for principals outside an organization' }),
    ),
    organization_role: nullable(oneOf(ORGANIZATION_ROLES)),
    membership_tier: nullable(oneOf(MEMBERSHIP_TIERS)),
    plan_name: nullable(Type.String()),
    subscription_status: nullable(oneOf(SUBSCRIPTION_STATUSES)),
    quota_after: Type.Optional(Quota),
    quota_month_after: Type.Optional(Quota),
    storage: Type.Optional(addition(Storage)),
    demo_ends_at: Type.Optional(KstTime),
    rate_limit_after: RateLimit,
    key: Type.Optional(addition(KeyRights)),
  },
  { $id: 'MembershipResponse', ...strict },
);
export type MembershipResponse = Static<typeof MembershipResponse>;

export const EncryptionJwk = Type.Object(
  {
    kid: Type.String(),
    kty: Type.Literal('RSA'),
    alg: Type.Literal('RSA-OAEP-256'),
    use: Type.Literal('enc'),
    n: Type.String(),
    e: Type.String(),
  },
  { $id: 'EncryptionJwk', ...strict },
);

/** GET /v1/crypto/public-key: the key in use first, the previous one while it is still accepted. */
export const EncryptionJwks = Type.Object(
  { keys: Type.Array(EncryptionJwk, { minItems: 1 }) },
  { $id: 'EncryptionJwks', ...strict },
);
export type EncryptionJwks = Static<typeof EncryptionJwks>;
