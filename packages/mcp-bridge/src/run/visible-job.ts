import type { Job, JobHandle } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';

/** For this caller there is no such job: its action is not one that the caller may call, or no job has such an id. */
export class HiddenJobError extends Error {
  override readonly name = 'HiddenJobError';
}

const JOB_ID = /^job_\w+$/;

/**
 * A job by the id that a host names. What cannot be an id, such as one that lost its beginning in a summary, is a job
 * that does not exist: nothing must suggest that submitting again is the way to it.
 * @throws HiddenJobError
 */
export function handleOf({ client }: Pick<Bridge, 'client'>, jobId: string): JobHandle {
  if (!JOB_ID.test(jobId)) throw new HiddenJobError();
  return client.jobs.resume(jobId);
}

/** @throws HiddenJobError, and what the SDK's `jobs.get` throws */
export async function readVisibleJob(
  { client, sees }: Pick<Bridge, 'client' | 'sees'>,
  jobId: string,
  signal?: AbortSignal,
): Promise<Job> {
  if (!JOB_ID.test(jobId)) throw new HiddenJobError();
  const job = await client.jobs.get(jobId, signal ? { signal } : {});
  if (!sees(job.action)) throw new HiddenJobError();
  return job;
}
