import type { EventType } from '@changgu/contract';

/** Events that change how a job is shown. */
export const JOB_EVENT_TYPES: readonly EventType[] = [
  'job.queued',
  'job.started',
  'job.progressed',
  'job.input_required',
  'job.finished',
];
