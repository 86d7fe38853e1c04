import { type Static, Type } from 'typebox';
import { addition, nullable } from './vocabulary.ts';

export const ErrorField = Type.Object(
  {
    loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
      description: 'Path of the field, beginning with body, query, path or header',
    }),
    msg: Type.String(),
    type: Type.String({
      description: 'Stable name of the violation, e.g. missing, extra_forbidden',
    }),
  },
  { $id: 'ErrorField' },
);

/** Body of every error answer. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      retryable: Type.Boolean(),
      next_action: addition(
        Type.String({ description: 'What to do about it, in the language of the message' }),
      ),
      provider_error_ref: nullable(Type.String()),
      trace_id: Type.String({ pattern: '^trc_[0-9a-f]+$' }),
      fields: Type.Optional(Type.Array(ErrorField)),
      upstream_status: Type.Optional(addition(nullable(Type.Integer()))),
      job_id: Type.Optional(
        Type.String({
          description: 'The job submitted before, where an irreversible request was repeated',
          'x-addition': true,
        }),
      ),
    }),
  },
  { $id: 'ErrorEnvelope' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
