import type { Job } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';

/** A job of an action that this caller may not call; for this caller it does not exist. */
export class HiddenJobError extends Error {
  override readonly name = 'HiddenJobError';
}

/** @throws HiddenJobError, and what the SDK's `jobs.get` throws */
export async function readVisibleJob(
  { client, sees }: Pick<Bridge, 'client' | 'sees'>,
  jobId: string,
  signal?: AbortSignal,
): Promise<Job> {
  const job = await client.jobs.get(jobId, signal ? { signal } : {});
  if (!sees(job.action)) throw new HiddenJobError();
  return job;
}
