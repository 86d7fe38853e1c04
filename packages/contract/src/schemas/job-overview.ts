import { type Static, Type } from 'typebox';
import { JOB_STATES } from '../values/job-states.ts';
import { EnvScope, JobId, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const Count = Type.Integer({ minimum: 0, description: 'Jobs that are counted' });
const Counts = Type.Object(
  {
    QUEUED: Count,
    RUNNING: Count,
    SUCCEEDED: Count,
    FAILED: Count,
    TIMEOUT: Count,
    CANCELED: Count,
  },
  { ...strict, description: 'Jobs in each state' },
);

/** GET /v1/jobs/{job_id}/request. */
export const JobRequestResponse = Type.Object(
  {
    job_id: JobId,
    provider: Type.String(),
    action: Type.String(),
    account_link_id: nullable(Type.String()),
    idempotency_key: Type.String(),
    params: Type.Object({}, { additionalProperties: true, description: 'As they were sent' }),
  },
  { $id: 'JobRequestResponse', ...strict },
);
export type JobRequestResponse = Static<typeof JobRequestResponse>;

/** GET /v1/jobs/summary. */
export const JobSummaryResponse = Type.Object(
  {
    env_scope: EnvScope,
    items: Type.Array(
      Type.Object(
        {
          day: Type.String({ format: 'date', description: 'Day of submission, Korean time' }),
          action: Type.String(),
          status: oneOf(JOB_STATES),
          jobs: Count,
          usage_tokens: Type.Integer({
            minimum: 0,
            description: 'Without those that were given back',
          }),
        },
        strict,
      ),
    ),
    complete: Type.Boolean({ description: 'False when there are more jobs than are counted' }),
  },
  { $id: 'JobSummaryResponse', ...strict },
);
export type JobSummaryResponse = Static<typeof JobSummaryResponse>;

export const AllAccountsRun = Type.Object(
  {
    idempotency_key: Type.String(),
    provider: Type.String(),
    action: Type.String(),
    submitted_at: KstTime,
    account_count: Count,
    counts: Counts,
  },
  { $id: 'AllAccountsRun', ...strict },
);
export type AllAccountsRun = Static<typeof AllAccountsRun>;

/** GET /v1/jobs/all-accounts. */
export const AllAccountsRunListResponse = Type.Object(
  { items: Type.Array(AllAccountsRun), next_cursor: nullable(Type.String()) },
  { $id: 'AllAccountsRunListResponse', ...strict },
);
export type AllAccountsRunListResponse = Static<typeof AllAccountsRunListResponse>;

/** GET /v1/jobs/all-accounts/lines. */
export const AllAccountsLineListResponse = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          job_id: JobId,
          account_link_id: nullable(Type.String()),
          bank_account_credential_id: Type.String(),
          masked_account_no: nullable(Type.String()),
          status: oneOf(JOB_STATES),
          progress: Type.Integer({ minimum: 0, maximum: 100 }),
          error_code: nullable(Type.String({ description: 'Why its job failed' })),
        },
        strict,
      ),
    ),
    next_cursor: nullable(Type.String()),
  },
  { $id: 'AllAccountsLineListResponse', ...strict },
);
export type AllAccountsLineListResponse = Static<typeof AllAccountsLineListResponse>;
