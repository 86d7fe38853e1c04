import { JobFailedError, type JobFailure } from '@changgu/sdk';
import { expect } from 'vitest';

/** How a job failed, or timed out; fails the test when it did not. */
export async function failureOf(running: Promise<unknown>): Promise<JobFailure> {
  const error = await running.then(
    () => expect.unreachable('the job succeeded'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof JobFailedError && error.failure) return error.failure;
  throw error;
}
