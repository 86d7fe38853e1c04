import type { JobStatus } from './job.ts';

/** What is known about a job when its handle is created. */
export interface HandleFacts {
  readonly id: string;
  readonly action: string | null;
  readonly idempotencyKey: string | null;
  readonly submittedAt: string | null;
  readonly status: JobStatus | null;
  /** The key was used before: this is the job of an earlier submission. */
  readonly replayed: boolean;
  /** Local time of the submission, if this process made it. */
  readonly submittedAtLocal: number | null;
}
