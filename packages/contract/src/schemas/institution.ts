import { type Static, Type } from 'typebox';
import { EnvScope, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

/** One institution as `GET /v1/institutions` shows it. */
export const InstitutionRecord = Type.Object(
  {
    provider: Type.String(),
    name: Type.String({ description: 'Name in the language of the request' }),
    kind: oneOf(['bank', 'tax', 'employment', 'social_insurance', 'other']),
    link_types: Type.Array(oneOf(['certificate', 'id_password', 'consent'])),
    configured: Type.Boolean({
      description: 'Whether an address is configured for it in this environment',
    }),
    state: oneOf(['HEALTHY', 'DEGRADED', 'DOWN'], {
      description:
        'What the last jobs met: HEALTHY answers, DEGRADED failed lately, DOWN failed so often that jobs wait',
    }),
    maintenance: Type.Boolean({ description: 'Whether the institution announces maintenance' }),
    retry_at: nullable(KstTime),
    actions: Type.Array(
      Type.Object(
        {
          action: Type.String(),
          name: Type.String({ description: 'Name in the language of the request' }),
          usage_tokens: Type.Integer({ minimum: 0 }),
          irreversible: Type.Boolean(),
        },
        strict,
      ),
    ),
  },
  { $id: 'InstitutionRecord', ...strict },
);
export type InstitutionRecord = Static<typeof InstitutionRecord>;

export const InstitutionListResponse = Type.Object(
  { env_scope: EnvScope, items: Type.Array(InstitutionRecord) },
  { $id: 'InstitutionListResponse', ...strict },
);
export type InstitutionListResponse = Static<typeof InstitutionListResponse>;
