import { isEndState } from '@changgu/contract';
import type { JobReadResponse } from '@changgu/contract/schemas';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { Store } from '../store/database.ts';
import { jobView } from './job-view.ts';

export interface Cancellation {
  /** False while the worker still has to end it: 202 instead of 200. */
  readonly done: boolean;
  readonly job: JobReadResponse;
}

/**
 * POST /v1/jobs/{job_id}/cancel.
 * @throws ServiceError JOB_NOT_FOUND, JOB_ALREADY_FINISHED, JOB_NOT_CANCELABLE
 */
export async function cancelJob(
  store: Pick<Store, 'jobs'>,
  access: JobAccess,
  jobId: string,
  actor?: Actor,
): Promise<Cancellation> {
  const job = await store.jobs.cancel({ access, jobId, actor });
  return { done: isEndState(job.status), job: jobView(job) };
}
