import { type Static, Type } from 'typebox';
import { ENV_SCOPES, OAUTH_SCOPES } from '../principals.ts';
import { ActionPattern } from './app-credential.ts';
import { KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const unique = { minItems: 1, uniqueItems: true, 'x-addition': true };

/** Body of POST /v1/oauth/interactions/{uid}/approve. */
export const OAuthApproveRequest = Type.Object(
  {
    organization_id: Type.Integer({
      minimum: 1,
      description: 'The organization that the client will act for',
    }),
    scopes: Type.Optional(
      Type.Array(oneOf(OAUTH_SCOPES), {
        ...unique,
        description: 'Some of what the client asked for; omitted: all but `jobs:irreversible`',
      }),
    ),
    env_scopes: Type.Optional(
      Type.Array(oneOf(ENV_SCOPES), { ...unique, description: 'Omitted: only `sandbox`' }),
    ),
    allowed_actions: Type.Optional(
      nullable(
        Type.Array(ActionPattern, {
          minItems: 1,
          maxItems: 100,
          'x-addition': true,
          description:
            'Action ids; `bank_b.*` stands for every action under `bank_b.`; null allows every action',
        }),
      ),
    ),
  },
  { $id: 'OAuthApproveRequest', ...strict },
);
export type OAuthApproveRequest = Static<typeof OAuthApproveRequest>;

export const OAuthInteractionResponse = Type.Object(
  {
    redirect_to: Type.String({
      description: 'Where the browser goes next; it ends at the client',
    }),
  },
  { $id: 'OAuthInteractionResponse', ...strict },
);
export type OAuthInteractionResponse = Static<typeof OAuthInteractionResponse>;

export const OAUTH_GRANT_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;

/** What a person approved for a client. */
export const OAuthGrantRecord = Type.Object(
  {
    grant_id: Type.String({ pattern: '^oag_[0-9A-HJKMNP-TV-Z]{26}$' }),
    client_id: Type.String(),
    client_name: Type.String(),
    redirect_host: nullable(Type.String({ description: 'Null for a device without a browser' })),
    approved_by: Type.Integer({ description: 'Id of the user who approved it' }),
    scopes: Type.Array(oneOf(OAUTH_SCOPES)),
    allowed_env_scopes: Type.Array(oneOf(ENV_SCOPES)),
    allowed_actions: nullable(Type.Array(Type.String())),
    status: oneOf(OAUTH_GRANT_STATUSES),
    created_at: KstTime,
    expires_at: KstTime,
    last_used_at: nullable(KstTime),
    revoked_at: nullable(KstTime),
  },
  { $id: 'OAuthGrantRecord', ...strict },
);
export type OAuthGrantRecord = Static<typeof OAuthGrantRecord>;

export const OAuthGrantListResponse = Type.Object(
  { items: Type.Array(OAuthGrantRecord) },
  { $id: 'OAuthGrantListResponse', ...strict },
);
export type OAuthGrantListResponse = Static<typeof OAuthGrantListResponse>;
