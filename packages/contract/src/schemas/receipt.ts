import { type Static, Type } from 'typebox';
import { EFFECTS, END_STATES } from '../job-states.ts';
import { PRINCIPAL_KINDS } from '../principals.ts';
import { EnvScope, JobId, KstTime, nullable, oneOf, strict, UuidV4 } from './vocabulary.ts';

const SHA256_HEX = '^[0-9a-f]{64}$';
const Sha256 = Type.String({ pattern: SHA256_HEX });

/** What a receipt says. It is the payload of the JWS, and holds neither params nor results. */
export const ReceiptStatement = Type.Object(
  {
    iss: Type.Literal('changgu'),
    organization_id: Type.Integer(),
    env_scope: EnvScope,
    number: Type.Integer({
      minimum: 1,
      description: 'Counts the receipts of the organization in this environment, without a gap',
    }),
    previous: nullable(
      Type.String({
        pattern: SHA256_HEX,
        description: 'SHA-256 of the compact JWS of the receipt before; null for the first',
      }),
    ),
    job_id: JobId,
    principal: Type.Object(
      { kind: oneOf(PRINCIPAL_KINDS), id: Type.String() },
      { ...strict, description: 'Who submitted the job' },
    ),
    provider: Type.String(),
    action: Type.String(),
    account_link_id: nullable(UuidV4),
    params_sha256: Type.String({
      pattern: SHA256_HEX,
      description: 'SHA-256 of the params in canonical JSON (RFC 8785)',
    }),
    request: Type.Object(
      {
        idempotency_key: Type.String(),
        identity_sha256: Type.String({
          pattern: SHA256_HEX,
          description: 'Hash of the whole request, by which replays are recognised',
        }),
      },
      strict,
    ),
    submitted_at: KstTime,
    point_of_no_return_at: KstTime,
    finished_at: KstTime,
    outcome: Type.Object(
      {
        status: oneOf(END_STATES),
        error_code: nullable(Type.String()),
        had_effect: oneOf(EFFECTS),
      },
      strict,
    ),
    files: Type.Array(
      Type.Object(
        {
          artifact_id: Type.String(),
          content_type: Type.String(),
          size_bytes: Type.Integer({ minimum: 0 }),
          sha256: Sha256,
        },
        strict,
      ),
    ),
  },
  { $id: 'ReceiptStatement', ...strict },
);
export type ReceiptStatement = Static<typeof ReceiptStatement>;

/** GET /v1/jobs/{job_id}/receipt. */
export const Receipt = Type.Object(
  {
    job_id: JobId,
    number: Type.Integer({ minimum: 1 }),
    receipt: Type.String({ description: 'The signed statement: a compact JWS' }),
    statement: ReceiptStatement,
  },
  { $id: 'Receipt', ...strict },
);
export type Receipt = Static<typeof Receipt>;

export const ReceiptListResponse = Type.Object(
  { items: Type.Array(Receipt), next_cursor: nullable(Type.String()) },
  { $id: 'ReceiptListResponse', ...strict },
);
export type ReceiptListResponse = Static<typeof ReceiptListResponse>;

/** GET /v1/receipts/keys. */
export const ReceiptJwks = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.Literal('OKP'),
          crv: Type.Literal('Ed25519'),
          x: Type.String({ description: 'Public key, base64url' }),
          kid: Type.String(),
          use: Type.Literal('sig'),
          alg: Type.Literal('EdDSA'),
        },
        strict,
      ),
    ),
  },
  { $id: 'ReceiptJwks', ...strict },
);
export type ReceiptJwks = Static<typeof ReceiptJwks>;
