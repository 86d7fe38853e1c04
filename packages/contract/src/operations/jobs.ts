import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import { AllAccountsRequest, AllAccountsResponse } from '../schemas/all-accounts.ts';
import {
  ArtifactDeletionResponse,
  JobListResponse,
  JobPath,
  JobReadResponse,
  JobResultResponse,
  JobSubmitRequest,
  JobSubmitResponse,
  JobTimelineResponse,
  JobValidationResponse,
} from '../schemas/job.ts';
import { page } from '../schemas/paging.ts';
import { addition, oneOf, strict } from '../schemas/vocabulary.ts';
import { JOB_STATES } from '../values/job-states.ts';
import { DEPRECATION } from './deprecation.ts';

const retryAfter = { 'Retry-After': 'Seconds until the next poll is worth while' };
const replayed = { 'Idempotent-Replayed': '`true` on a replay' };
const applied = (preference: string) => ({
  'Preference-Applied': `\`${preference}\` where \`Prefer\` asked for it`,
});
const reader = { client: true, console_user: 'MEMBER', legacy_api_key: true } as const;
const SANDBOX_OUTCOME =
  'Sandbox only: the end state to play, e.g. `FAILED;code=PROVIDER_UPSTREAM_ERROR` (addition)';

const consoleReader = { client: true, console_user: 'MEMBER' } as const;

export const submitJob = defineOperation({
  id: 'submitJob',
  method: 'POST',
  path: '/v1/jobs',
  tag: 'jobs',
  summary: 'Submit a job',
  description:
    'Accepts one call to an institution and responds at once. Repeating a request with the same Idempotency-Key returns the job it created, after the same checks of environment, plan and quota.',
  may: { client: true },
  scope: 'jobs:submit',
  environment: 'required',
  idempotencyKey: 'required',
  requestHeaders: {
    Prefer: '`validate-only`: check everything and submit nothing (addition)',
    'X-Sandbox-Outcome': SANDBOX_OUTCOME,
  },
  body: JobSubmitRequest,
  responses: {
    202: {
      description: 'A new job was accepted',
      schema: JobSubmitResponse,
      headers: DEPRECATION,
    },
    200: {
      description: 'Replay: the job that this key and request created, in its current state',
      schema: Type.Union([JobSubmitResponse, addition(JobValidationResponse)]),
      headers: { ...replayed, ...applied('validate-only'), ...DEPRECATION },
    },
  },
  errors: [
    'IDEMPOTENCY_KEY_REQUIRED',
    'IDEMPOTENCY_KEY_CONFLICT',
    'POLICY_QUOTA_EXCEEDED',
    'POLICY_STORAGE_EXCEEDED',
    'POLICY_PAID_REQUIRED',
    'POLICY_ENV_NOT_ALLOWED',
    'POLICY_ENV_NOT_APPROVED',
    'POLICY_CONSENT_REQUIRED',
    'POLICY_TOOL_NOT_ALLOWED',
    'ACCOUNT_LINK_REQUIRED',
    'ACCOUNT_LINK_NOT_FOUND',
    'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    'PROVIDER_VALIDATION_ERROR',
    'PRODUCT_RETIRED',
    'PROVIDER_NOT_CONFIGURED',
  ],
});

export const listJobs = defineOperation({
  id: 'listJobs',
  method: 'GET',
  path: '/v1/jobs',
  tag: 'jobs',
  summary: 'List jobs, newest first',
  description:
    'With filters, a page may be shorter than `limit` or even empty although more follow: continue until `next_cursor` is null.',
  may: consoleReader,
  scope: 'jobs:read',
  environment: 'required',
  query: Type.Object(
    {
      status: Type.Optional(Type.Array(oneOf(JOB_STATES))),
      provider: Type.Optional(Type.String({ minLength: 1 })),
      action: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      account_link_id: Type.Optional(Type.String({ minLength: 1 })),
      submitted_from: Type.Optional(
        Type.String({ format: 'date-time', description: 'Submitted then or later' }),
      ),
      submitted_before: Type.Optional(
        Type.String({ format: 'date-time', description: 'Submitted earlier than this' }),
      ),
      idempotency_key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Jobs submitted under this Idempotency-Key',
        }),
      ),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'Jobs whose id, link, Idempotency-Key or error holds this text, or whose action or institution has it in its name',
        }),
      ),
      ...page,
    },
    strict,
  ),
  responses: { 200: { description: 'One page', schema: JobListResponse } },
  errors: [],
  addition: true,
});

export const readJob = defineOperation({
  id: 'readJob',
  method: 'GET',
  path: '/v1/jobs/{job_id}',
  tag: 'jobs',
  summary: 'Get the state of a job',
  may: reader,
  scope: 'jobs:read',
  environment: 'required',
  requestHeaders: { Prefer: '`wait=N`: answer on change or after N ≤ 30 seconds (addition)' },
  params: JobPath,
  responses: {
    200: {
      description: 'The job',
      schema: JobReadResponse,
      headers: { ...retryAfter, ...applied('wait'), ...DEPRECATION },
    },
  },
  errors: ['JOB_NOT_FOUND'],
});

export const readJobResult = defineOperation({
  id: 'readJobResult',
  method: 'GET',
  path: '/v1/jobs/{job_id}/result',
  tag: 'jobs',
  summary: 'Get the result of a succeeded job',
  may: reader,
  scope: 'jobs:read',
  environment: 'required',
  params: JobPath,
  responses: {
    200: { description: 'The result', schema: JobResultResponse, headers: DEPRECATION },
  },
  errors: ['JOB_NOT_FOUND', 'JOB_NOT_SUCCEEDED'],
});

export const cancelJob = defineOperation({
  id: 'cancelJob',
  method: 'POST',
  path: '/v1/jobs/{job_id}/cancel',
  tag: 'jobs',
  summary: 'Cancel a job',
  may: { client: true, console_user: 'ADMIN' },
  scope: 'jobs:submit',
  environment: 'required',
  params: JobPath,
  responses: {
    200: { description: 'The job is canceled', schema: JobReadResponse, headers: DEPRECATION },
    202: {
      description: 'Cancellation was requested; the running job stops by itself',
      schema: JobReadResponse,
      headers: { ...retryAfter, ...DEPRECATION },
    },
  },
  errors: [
    'JOB_NOT_FOUND',
    'JOB_ALREADY_FINISHED',
    'JOB_NOT_CANCELABLE',
    'POLICY_TOOL_NOT_ALLOWED',
  ],
  addition: true,
});

export const readJobTimeline = defineOperation({
  id: 'readJobTimeline',
  method: 'GET',
  path: '/v1/jobs/{job_id}/timeline',
  tag: 'jobs',
  summary: 'Get the timeline of a job',
  may: consoleReader,
  scope: 'jobs:read',
  environment: 'required',
  params: JobPath,
  responses: {
    200: {
      description: 'The events, oldest first',
      schema: JobTimelineResponse,
      headers: DEPRECATION,
    },
  },
  errors: ['JOB_NOT_FOUND'],
  addition: true,
});

export const deleteJobArtifacts = defineOperation({
  id: 'deleteJobArtifacts',
  method: 'DELETE',
  path: '/v1/jobs/{job_id}/artifacts',
  tag: 'jobs',
  summary: 'Delete the files of a job',
  may: { client: true, console_user: 'ADMIN', legacy_api_key: true },
  scope: 'jobs:submit',
  environment: 'required',
  params: JobPath,
  responses: {
    200: { description: 'How many files were deleted', schema: ArtifactDeletionResponse },
  },
  errors: ['JOB_NOT_FOUND', 'POLICY_TOOL_NOT_ALLOWED'],
});

export const submitAllAccounts = defineOperation({
  id: 'submitAllAccounts',
  method: 'POST',
  path: '/v1/jobs/all-accounts',
  tag: 'jobs',
  summary: 'Submit one job per bank account',
  description:
    'The Idempotency-Key holds per account: a repeated round returns the jobs it made and submits only accounts that were added. Tokens are needed for new jobs alone, and nothing is submitted when they do not suffice for all of them. Accounts that the limit of unfinished jobs of the product blocks, or that an interruption left out, stand in `next`: wait, then repeat the request with those ids and a new key.',
  may: { client: true },
  scope: 'jobs:submit',
  environment: 'required',
  idempotencyKey: 'required',
  requestHeaders: { 'X-Sandbox-Outcome': SANDBOX_OUTCOME },
  body: AllAccountsRequest,
  maxBodyBytes: LIMITS.largeBodyBytes,
  responses: {
    202: {
      description: 'At least one line was newly submitted',
      schema: AllAccountsResponse,
      headers: DEPRECATION,
    },
    200: {
      description: 'Nothing was newly submitted',
      schema: AllAccountsResponse,
      headers: {
        'Idempotent-Replayed': '`true` when every account already had its job',
        ...DEPRECATION,
      },
    },
  },
  errors: [
    'IDEMPOTENCY_KEY_REQUIRED',
    'IDEMPOTENCY_KEY_CONFLICT',
    'POLICY_QUOTA_EXCEEDED',
    'POLICY_STORAGE_EXCEEDED',
    'POLICY_PAID_REQUIRED',
    'POLICY_ENV_NOT_ALLOWED',
    'POLICY_ENV_NOT_APPROVED',
    'POLICY_CONSENT_REQUIRED',
    'POLICY_TOOL_NOT_ALLOWED',
    'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND',
    'BANK_ACCOUNT_PARENT_NOT_FOUND',
    'PRODUCT_RETIRED',
    'PROVIDER_NOT_CONFIGURED',
  ],
});
