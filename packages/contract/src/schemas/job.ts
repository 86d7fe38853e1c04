import { type Static, Type } from 'typebox';
import { EFFECTS, JOB_STATES } from '../values/job-states.ts';
import {
  ArtifactId,
  byName,
  EnvScope,
  JobId,
  JsonObject,
  KstTime,
  nullable,
  oneOf,
  strict,
  UuidV4,
} from './vocabulary.ts';

const Provider = Type.String({ minLength: 1, description: 'Institution id' });
const Action = Type.String({ minLength: 1, description: 'Full action id' });
const Status = oneOf(JOB_STATES, { description: 'Job state' });

/** Looser than `JobId`, so that whatever is no job is not found. */
export const JobPath = Type.Object({ job_id: Type.String({ minLength: 1, maxLength: 64 }) });

/** Body of POST /v1/jobs. */
export const JobSubmitRequest = Type.Object(
  {
    provider: Provider,
    action: Action,
    account_link_id: Type.Optional(nullable(UuidV4)),
    params: Type.Optional(JsonObject),
    encrypted_fields: Type.Optional(
      byName(Type.String(), {
        description: 'RSA-OAEP ciphertexts in base64, keyed by the names that the action declares',
      }),
    ),
  },
  { $id: 'JobSubmitRequest', ...strict },
);
export type JobSubmitRequest = Static<typeof JobSubmitRequest>;

/** Exactly six fields. */
export const JobSubmitResponse = Type.Object(
  {
    job_id: JobId,
    status: Status,
    env_scope: EnvScope,
    provider: Type.String(),
    action: Type.String(),
    submitted_at: nullable(KstTime),
  },
  { $id: 'JobSubmitResponse', ...strict },
);
export type JobSubmitResponse = Static<typeof JobSubmitResponse>;

/** Answer of a `Prefer: validate-only` submission. */
export const JobValidationResponse = Type.Object(
  {
    valid: Type.Literal(true),
    env_scope: EnvScope,
    provider: Type.String(),
    action: Type.String(),
    account_link_id: nullable(Type.String()),
    usage_tokens: Type.Integer({ minimum: 0 }),
    remaining_tokens: nullable(Type.Integer({ description: 'Null where there is no limit' })),
  },
  { $id: 'JobValidationResponse', ...strict },
);
export type JobValidationResponse = Static<typeof JobValidationResponse>;

export const JobError = Type.Object(
  {
    code: Type.String(),
    message: nullable(Type.String()),
    retryable: Type.Boolean(),
    provider_error_ref: nullable(Type.String()),
    upstream_status: nullable(Type.Integer()),
  },
  { $id: 'JobError', ...strict },
);
export type JobError = Static<typeof JobError>;

/** GET /v1/jobs/{job_id}. */
export const JobReadResponse = Type.Object(
  {
    job_id: JobId,
    status: Status,
    env_scope: EnvScope,
    provider: Type.String(),
    action: Type.String(),
    submitted_at: KstTime,
    started_at: nullable(KstTime),
    finished_at: nullable(KstTime),
    retry_count: Type.Integer({ minimum: 0 }),
    progress: nullable(Type.Integer({ minimum: 0, maximum: 100 })),
    progress_message: nullable(Type.String()),
    retry_after_seconds: nullable(Type.Integer({ minimum: 1 })),
    error: nullable(JobError),
    had_effect: oneOf(EFFECTS, {
      description:
        'Whether the job changed anything at the institution: `no` before its point of no return and after a refusal, `unknown` when the answer never came',
      'x-addition': true,
    }),
  },
  { $id: 'JobReadResponse', ...strict },
);
export type JobReadResponse = Static<typeof JobReadResponse>;

export const JobListResponse = Type.Object(
  { items: Type.Array(JobReadResponse), next_cursor: nullable(Type.String()) },
  { $id: 'JobListResponse', ...strict },
);
export type JobListResponse = Static<typeof JobListResponse>;

export const Artifact = Type.Object(
  {
    artifact_id: nullable(ArtifactId),
    name: Type.String(),
    content_type: nullable(Type.String()),
    size_bytes: nullable(Type.Integer({ minimum: 0 })),
    sha256: nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    expires_at: nullable(KstTime),
    expired: Type.Boolean(),
    download_url: nullable(Type.String()),
  },
  { $id: 'Artifact', ...strict },
);
export type Artifact = Static<typeof Artifact>;

export const JobResult = Type.Object(
  {
    schema: Type.String({ description: '<action id>.v<N>' }),
    data: Type.Optional(nullable(JsonObject)),
    download_url: Type.Optional(Type.String()),
    artifacts: Type.Array(Artifact),
  },
  { $id: 'JobResult', ...strict },
);
export type JobResult = Static<typeof JobResult>;

/** GET /v1/jobs/{job_id}/result. */
export const JobResultResponse = Type.Object(
  {
    job_id: JobId,
    status: Type.Literal('SUCCEEDED'),
    result: JobResult,
    finished_at: KstTime,
    receipt: Type.Optional(
      Type.String({
        description: 'The signed receipt of an act that took effect: a compact JWS',
        'x-addition': true,
      }),
    ),
  },
  { $id: 'JobResultResponse', ...strict },
);
export type JobResultResponse = Static<typeof JobResultResponse>;

export const ArtifactDeletionResponse = Type.Object(
  { job_id: JobId, deleted_count: Type.Integer({ minimum: 0 }) },
  { $id: 'ArtifactDeletionResponse', ...strict },
);
export type ArtifactDeletionResponse = Static<typeof ArtifactDeletionResponse>;

/** GET /v1/jobs/{job_id}/timeline. */
export const JobTimelineResponse = Type.Object(
  {
    job_id: JobId,
    events: Type.Array(
      Type.Object(
        {
          at: KstTime,
          kind: oneOf([
            'accepted',
            'waiting',
            'claimed',
            'step',
            'retry',
            'taken_over',
            'point_of_no_return',
            'cancel_requested',
            'ended',
          ]),
          message: nullable(Type.String()),
          duration_ms: nullable(Type.Integer({ minimum: 0 })),
          upstream_status: nullable(Type.Integer()),
        },
        strict,
      ),
    ),
  },
  { $id: 'JobTimelineResponse', ...strict },
);
export type JobTimelineResponse = Static<typeof JobTimelineResponse>;
