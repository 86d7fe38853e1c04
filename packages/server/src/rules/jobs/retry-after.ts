import type { JobState } from '@changgu/contract';

const QUEUED_SECONDS = 3;
const RUNNING_SECONDS = 2;
const RUNNING_LONG_SECONDS = 5;
const LONG_MS = 20_000;

/** Seconds until the next poll makes sense; null at the end. */
export function retryAfterSeconds(
  status: JobState,
  startedAt: number | null,
  now: number,
): number | null {
  if (status === 'QUEUED') return QUEUED_SECONDS;
  if (status !== 'RUNNING') return null;
  return now - (startedAt ?? now) < LONG_MS ? RUNNING_SECONDS : RUNNING_LONG_SECONDS;
}
