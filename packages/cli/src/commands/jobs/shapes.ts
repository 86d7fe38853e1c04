import { jobEventText } from '@changgu/contract/job-event-texts';
import type { Artifact, Job, JobTimeline } from '@changgu/sdk';
import { fieldsOf, type Shape } from '../../output/shape.ts';

export const JOB: Shape = {
  fields: fieldsOf<Job>()([
    'job_id',
    'status',
    'env_scope',
    'provider',
    'action',
    'submitted_at',
    'started_at',
    'finished_at',
    'retry_count',
    'progress',
    'progress_message',
    'retry_after_seconds',
    'error',
    'had_effect',
  ]),
  columns: ['job_id', 'status', 'action', 'submitted_at'],
  id: 'job_id',
  whole: ['status'],
  details: [
    'job_id',
    'status',
    'env_scope',
    'action',
    'progress',
    'progress_message',
    'submitted_at',
    'started_at',
    'finished_at',
    'retry_count',
    'error',
  ],
};

/** The answer to a submission; in a pipe, only the id. */
export const SUBMITTED: Shape = {
  fields: ['job_id', 'status', 'action', 'submitted_at', 'idempotency_key', 'replayed'],
  columns: ['job_id'],
  id: 'job_id',
  details: ['job_id', 'status', 'action', 'submitted_at', 'idempotency_key'],
};

export const TIMELINE: Shape = {
  fields: fieldsOf<JobTimeline>()(['job_id', 'events']),
  columns: ['job_id', 'events'],
  id: 'job_id',
};

export const EVENT: Shape = {
  fields: fieldsOf<JobTimeline['events'][number]>()([
    'at',
    'kind',
    'message',
    'duration_ms',
    'upstream_status',
  ]),
  columns: ['at', 'kind', 'duration_ms', 'message'],
  id: 'at',
  texts: { kind: jobEventText },
  exactTimes: true,
};

export const CHANGE: Shape = {
  ...JOB,
  columns: ['job_id', 'status', 'progress', 'progress_message', 'action'],
  expendable: ['action'],
};

export const ARTIFACT_FIELDS = fieldsOf<Artifact>()([
  'artifact_id',
  'name',
  'content_type',
  'size_bytes',
  'sha256',
  'expired',
  'expires_at',
  'download_url',
  'job_id',
]);
