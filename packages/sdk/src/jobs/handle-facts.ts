import type { JobStatus } from './job.ts';

/** What is known of a job when its handle is made. */
export interface HandleFacts {
  readonly id: string;
  readonly action: string | null;
  readonly idempotencyKey: string | null;
  readonly submittedAt: string | null;
  readonly status: JobStatus | null;
  /** The key had been seen: this is the job of an earlier submission. */
  readonly replayed: boolean;
  /** Local time of the submission, when it was made by this process. */
  readonly submittedAtLocal: number | null;
}
