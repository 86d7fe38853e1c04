import type { Effect, JobState } from '@changgu/contract';
import { jobErrorOf } from './job-error.ts';

interface Run {
  readonly status: JobState;
  /** When it passed its point of no return; null before, and for every read. */
  readonly submitStepAt: number | null;
  /** JSON of JobError. */
  readonly error: string | null;
}

/**
 * Whether the job changed anything at the institution. Past the point of no return the engine keeps a failure's code
 * only if the institution said that nothing took effect. Sandbox plays an unknown outcome without passing any point.
 */
export function hadEffect({ status, submitStepAt, error }: Run): Effect {
  const hasFailed = status === 'FAILED' || status === 'TIMEOUT';
  const code = hasFailed ? jobErrorOf(error)?.code : undefined;
  if (code === 'PROVIDER_OUTCOME_UNCONFIRMED') return 'unknown';
  if (submitStepAt === null) return 'no';
  if (status === 'SUCCEEDED') return 'yes';
  return code === undefined ? 'unknown' : 'no';
}
