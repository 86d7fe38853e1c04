import type { JobState } from '@changgu/contract';

/**
 * All transitions of a job. A job never goes back, not even after a crash, and the four end
 * states never change.
 */
export const TRANSITIONS: Readonly<Record<JobState, readonly JobState[]>> = {
  QUEUED: ['RUNNING', 'CANCELED', 'TIMEOUT'],
  RUNNING: ['SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELED'],
  SUCCEEDED: [],
  FAILED: [],
  TIMEOUT: [],
  CANCELED: [],
};

export function mayBecome(from: JobState, to: string): boolean {
  return TRANSITIONS[from].some((state) => state === to);
}
