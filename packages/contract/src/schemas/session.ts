import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { ORGANIZATION_ROLES, REGISTRATION } from '../principals.ts';
import { KstTime, nullable, oneOf, strict, UuidV4 } from './vocabulary.ts';

const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });

/** Who is logged in, and with what; the answer to a login that asked for a cookie. */
export const SessionResponse = Type.Object(
  {
    user: Type.Object({ user_id: Id, email: Type.String(), name: Type.String() }, strict),
    organization: Type.Object({ organization_id: Id, name: Type.String() }, strict),
    role: oneOf(ORGANIZATION_ROLES),
    email_verified: Type.Boolean(),
    must_add_factor: Type.Boolean({
      description: 'The organization requires a second factor that the user does not have yet',
    }),
    csrf_token: nullable(
      Type.String({
        description:
          'To be sent as X-CSRF-Token with every writing request that authenticates by cookie; null when a token authenticates',
      }),
    ),
    expires_at: nullable(KstTime),
    has_password: Type.Boolean({
      description:
        'False in a session that an identity provider opened: where a password is asked for again, a login there of the last ten minutes stands for it',
    }),
    identity_provider: nullable(
      Type.String({
        description:
          'The identity provider at which the user logs in, by its name in addresses; null where the user logs in here',
      }),
    ),
  },
  { $id: 'SessionResponse', ...strict },
);
export type SessionResponse = Static<typeof SessionResponse>;

export const LogoutRequest = Type.Object(
  {
    everywhere: Type.Optional(
      Type.Boolean({ default: false, description: 'Ends every session of the user' }),
    ),
  },
  { $id: 'LogoutRequest', ...strict },
);
export type LogoutRequest = Static<typeof LogoutRequest>;

export const LogoutResponse = Type.Object(
  {
    ended_sessions: Type.Integer({ minimum: 0 }),
    provider_logout_url: nullable(
      Type.String({
        format: 'uri',
        description: 'Where the browser logs out at the identity provider of the session too',
      }),
    ),
  },
  { $id: 'LogoutResponse', ...strict },
);
export type LogoutResponse = Static<typeof LogoutResponse>;

export const SessionEndResponse = Type.Object(
  { session_id: UuidV4, status: Type.Literal('ENDED') },
  { $id: 'SessionEndResponse', ...strict },
);
export type SessionEndResponse = Static<typeof SessionEndResponse>;

export const SessionRecord = Type.Object(
  {
    session_id: UuidV4,
    current: Type.Boolean({ description: 'The session that asks' }),
    kind: oneOf(['cookie', 'token']),
    created_at: KstTime,
    last_used_on: Type.String({ format: 'date', description: 'Day of the last use, Korean time' }),
    expires_at: KstTime,
    address: Type.String({ description: 'IP address of the login' }),
    user_agent: nullable(Type.String()),
  },
  { $id: 'SessionRecord', ...strict },
);
export type SessionRecord = Static<typeof SessionRecord>;

export const SessionListResponse = Type.Object(
  { items: Type.Array(SessionRecord) },
  { $id: 'SessionListResponse', ...strict },
);
export type SessionListResponse = Static<typeof SessionListResponse>;

export const IdentityProvider = Type.Object(
  {
    provider: Type.String({ description: 'Its name in addresses' }),
    label: Type.String({ description: 'Its name for people' }),
  },
  { $id: 'IdentityProvider', ...strict },
);
export type IdentityProvider = Static<typeof IdentityProvider>;

export const IdentityProviderListResponse = Type.Object(
  {
    items: Type.Array(IdentityProvider),
    registration: oneOf(REGISTRATION, {
      description: 'Who may open a new account: anyone, who is invited, or no one',
    }),
  },
  { $id: 'IdentityProviderListResponse', ...strict },
);
export type IdentityProviderListResponse = Static<typeof IdentityProviderListResponse>;
