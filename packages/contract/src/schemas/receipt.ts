import { type Static, Type } from 'typebox';
import { PRINCIPAL_KINDS } from '../principals.ts';
import { EFFECTS, END_STATES } from '../values/job-states.ts';
import {
  EnvScope,
  JobId,
  KST_TIME,
  KstTime,
  nullable,
  oneOf,
  strict,
  UuidV4,
} from './vocabulary.ts';

const SHA256_HEX = '^[0-9a-f]{64}$';

/** What a receipt says. It is the payload of the JWS, and holds neither params nor results. */
export const ReceiptStatement = Type.Object(
  {
    iss: Type.Literal('changgu', { description: 'Who signed it' }),
    organization_id: Type.Integer({ description: 'Whose act it was' }),
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
      {
        kind: oneOf(PRINCIPAL_KINDS, { description: 'Kind of caller' }),
        id: Type.String({ description: 'Id of the key or of the person' }),
      },
      { ...strict, description: 'Who submitted the job' },
    ),
    provider: Type.String({ description: 'Institution id' }),
    action: Type.String({ description: 'Full action id' }),
    account_link_id: nullable(UuidV4),
    params_sha256: Type.String({
      pattern: SHA256_HEX,
      description: 'SHA-256 of the params in canonical JSON (RFC 8785)',
    }),
    request: Type.Object(
      {
        idempotency_key: Type.String({ description: 'Under which the job was submitted' }),
        identity_sha256: Type.String({
          pattern: SHA256_HEX,
          description: 'Hash of the whole request, by which replays are recognized',
        }),
      },
      strict,
    ),
    submitted_at: KstTime,
    point_of_no_return_at: Type.String({
      format: 'date-time',
      pattern: KST_TIME,
      description: 'From when on it could no longer be undone',
    }),
    finished_at: KstTime,
    outcome: Type.Object(
      {
        status: oneOf(END_STATES, { description: 'How the job ended' }),
        error_code: nullable(Type.String({ description: 'Null when it succeeded' })),
        had_effect: oneOf(EFFECTS, {
          description:
            'Whether anything changed at the institution; `unknown` when its answer never came',
        }),
      },
      strict,
    ),
    files: Type.Array(
      Type.Object(
        {
          artifact_id: Type.String({ description: 'Id of the file' }),
          content_type: Type.String({ description: 'Media type' }),
          size_bytes: Type.Integer({ minimum: 0, description: 'Size of the whole file' }),
          sha256: Type.String({ pattern: SHA256_HEX, description: 'Of the whole file, in hex' }),
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
    number: Type.Integer({ minimum: 1, description: 'Its place in the chain' }),
    receipt: Type.String({ description: 'The signed statement: a compact JWS' }),
    statement: ReceiptStatement,
  },
  { $id: 'Receipt', ...strict },
);
export type Receipt = Static<typeof Receipt>;

export const ReceiptListResponse = Type.Object(
  {
    items: Type.Array(Receipt, { description: 'Oldest first' }),
    next_cursor: nullable(Type.String({ description: 'Null on the last page' })),
  },
  { $id: 'ReceiptListResponse', ...strict },
);
export type ReceiptListResponse = Static<typeof ReceiptListResponse>;

/** GET /v1/receipts/keys. */
export const ReceiptJwks = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.Literal('OKP', { description: 'Key type' }),
          crv: Type.Literal('Ed25519', { description: 'Curve' }),
          x: Type.String({ description: 'Public key, base64url' }),
          kid: Type.String({
            description: 'RFC 7638 thumbprint; the `kid` of the receipts it signed',
          }),
          use: Type.Literal('sig', { description: 'It signs' }),
          alg: Type.Literal('EdDSA', { description: 'Algorithm of the signatures' }),
        },
        strict,
      ),
    ),
  },
  { $id: 'ReceiptJwks', ...strict },
);
export type ReceiptJwks = Static<typeof ReceiptJwks>;
