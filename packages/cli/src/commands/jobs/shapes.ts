import type { Shape } from '../../output/output.ts';

export const JOB: Shape = {
  columns: ['job_id', 'status', 'action', 'submitted_at'],
  id: 'job_id',
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

/** What a submission answers: for a pipe, the id alone. */
export const SUBMITTED: Shape = {
  columns: ['job_id'],
  id: 'job_id',
  details: ['job_id', 'status', 'action', 'submitted_at', 'idempotency_key'],
};
