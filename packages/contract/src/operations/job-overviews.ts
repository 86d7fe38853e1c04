import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import { JobPath } from '../schemas/job.ts';
import {
  AllAccountsLineListResponse,
  AllAccountsRunListResponse,
  JobRequestResponse,
  JobSummaryResponse,
} from '../schemas/job-overview.ts';
import { page } from '../schemas/paging.ts';
import { strict } from '../schemas/vocabulary.ts';

const reading = {
  method: 'GET',
  tag: 'jobs',
  may: { client: true, console_user: 'MEMBER' },
  scope: 'jobs:read',
  environment: 'required',
  addition: true,
} as const;

export const readJobRequest = defineOperation({
  ...reading,
  id: 'readJobRequest',
  path: '/v1/jobs/{job_id}/request',
  summary: 'Get what a job was submitted with',
  description: 'Values that were sent encrypted are not part of it.',
  params: JobPath,
  responses: { 200: { description: 'The request', schema: JobRequestResponse } },
  errors: ['JOB_NOT_FOUND'],
});

export const summarizeJobs = defineOperation({
  ...reading,
  id: 'summarizeJobs',
  path: '/v1/jobs/summary',
  summary: 'Count jobs and tokens by day, action and state',
  description: `Counts the latest ${LIMITS.summarizedJobs} jobs at most; \`complete\` says whether that was all of them.`,
  query: Type.Object(
    {
      submitted_from: Type.Optional(
        Type.String({ format: 'date-time', description: 'Submitted then or later' }),
      ),
      submitted_before: Type.Optional(
        Type.String({ format: 'date-time', description: 'Submitted earlier than this' }),
      ),
    },
    strict,
  ),
  responses: { 200: { description: 'The counts, newest day first', schema: JobSummaryResponse } },
  errors: [],
});

export const listAllAccountsRuns = defineOperation({
  ...reading,
  id: 'listAllAccountsRuns',
  path: '/v1/jobs/all-accounts',
  summary: 'List all-accounts calls, newest first',
  description:
    'A round that was sent under a key of its own is a call of its own. A page may be shorter than `limit`: continue until `next_cursor` is null.',
  query: Type.Object(page, strict),
  responses: { 200: { description: 'One page', schema: AllAccountsRunListResponse } },
  errors: [],
});

export const listAllAccountsLines = defineOperation({
  ...reading,
  id: 'listAllAccountsLines',
  path: '/v1/jobs/all-accounts/lines',
  summary: 'List the accounts of an all-accounts call',
  query: Type.Object(
    {
      idempotency_key: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The Idempotency-Key of the call',
      }),
      ...page,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: LIMITS.linesPerPage, default: LIMITS.linesPerPage }),
      ),
    },
    strict,
  ),
  responses: {
    200: {
      description: 'One page, in order of submission; empty for a key without jobs',
      schema: AllAccountsLineListResponse,
    },
  },
  errors: [],
});
