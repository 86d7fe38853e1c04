import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { PRINCIPAL_KINDS } from '../principals.ts';
import { JsonObject, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });

export const AuditEntry = Type.Object(
  {
    audit_id: Id,
    at: KstTime,
    actor_kind: oneOf(PRINCIPAL_KINDS),
    actor_id: Type.String(),
    organization_id: nullable(Id),
    act: Type.String({ examples: ['app_credential.revoke'] }),
    target: nullable(Type.String()),
    details: JsonObject,
    trace_id: nullable(Type.String()),
    address: nullable(Type.String({ description: 'IP address that the request came from' })),
    user_agent: nullable(Type.String()),
    chain_number: nullable(
      Type.Integer({
        minimum: 1,
        description: "Its place in the organization's hash chain; null until it is sealed",
      }),
    ),
    chain_hash: nullable(
      Type.String({ description: 'SHA-256 over this record and the hash before it' }),
    ),
  },
  { $id: 'AuditEntry', ...strict },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditListResponse = Type.Object(
  { items: Type.Array(AuditEntry), next_cursor: nullable(Type.String()) },
  { $id: 'AuditListResponse', ...strict },
);
export type AuditListResponse = Static<typeof AuditListResponse>;

const Moment = Type.String({
  format: 'date-time',
  maxLength: 40,
  examples: ['2026-11-21T09:00:00+09:00'],
});

/** Filters of a list of audit records. */
export const auditFilters = {
  act: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['job.submit'] })),
  actor_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  target: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  from: Type.Optional(Moment),
  until: Type.Optional(Moment),
};
