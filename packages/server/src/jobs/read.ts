import type { JobReadResponse } from '@changgu/contract/schemas';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { jobView } from './job-view.ts';

/** @throws ServiceError JOB_NOT_FOUND, also for a job of another organization or environment */
export async function readJob(
  store: Pick<Store, 'jobs'>,
  access: JobAccess,
  jobId: string,
): Promise<JobReadResponse> {
  const job = await store.jobs.find({ access, jobId });
  if (job === null) throw new ServiceError('JOB_NOT_FOUND');
  return jobView(job);
}
