import { NotFoundError } from '../../errors/api-error.ts';
import type { ChangguError } from '../../errors/changgu-error.ts';
import { JobCanceledError, JobFailedError } from '../../errors/job-errors.ts';
import type { JobHandle } from '../handle.ts';
import type { Job, JobResult } from '../job.ts';
import type { AllAccountsCheckpoint, Interruption, SubmittedAccount } from './checkpoint.ts';
import type { AllAccountsRound, RoundsOptions } from './rounds.ts';

export interface AllAccountsStepsOptions extends RoundsOptions {
  /** Jobs waited for at a time. @default 8 */
  readonly concurrency?: number | undefined;
  /** Milliseconds for the whole call. Unfinished accounts stay open; their jobs continue. @default no limit */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a request may exceed `timeoutMs`, because an aborted one leaves unknown what it submitted. @default 0 */
  readonly graceMs?: number | undefined;
  /** When the first round cannot submit a single job: wait, or return at once. @default wait */
  readonly whenFull?: 'wait' | 'return' | undefined;
  /** Reads the result of each job that succeeded. @default true */
  readonly results?: boolean | undefined;
}

/** An answered round. */
export interface RoundStep extends AllAccountsRound {
  readonly type: 'round';
}

/** An account whose job has ended, or can no longer be read. */
export interface AccountStep<A extends string = string> extends SubmittedAccount {
  readonly type: 'account';
  readonly job: JobHandle<A>;
  /** The last state read; null when there was none. */
  readonly reading: Job | null;
  /** Null for a job that did not succeed, and without `results`. */
  readonly result: JobResult<A> | null;
  /** How the job failed, or why it or its result could not be read; null when it succeeded. */
  readonly error: ChangguError | null;
}

/**
 * Why a call ended:
 * - `ended`: every account was submitted and its job has ended.
 * - `deadline`: `timeoutMs` has passed, or would before another round.
 * - `interrupted`: a round stopped midway for a reason that waiting does not resolve, or not in time.
 * - `refused`: a round failed.
 * - `full`: the first round could not submit a single job.
 */
export type AllAccountsStop = 'ended' | 'deadline' | 'interrupted' | 'refused' | 'full';

/** The last step. By then the submitted jobs have ended, or the deadline has passed. */
export interface EndStep {
  readonly type: 'end';
  readonly stop: AllAccountsStop;
  /** Present when `stop` is `interrupted`. */
  readonly interruption: Interruption | null;
  /** Present when `stop` is `refused`. */
  readonly error: ChangguError | null;
  /** Where to resume; null when nothing remains. */
  readonly checkpoint: AllAccountsCheckpoint | null;
}

/** What happens during an all-accounts call. */
export type AllAccountsStep<A extends string = string> = RoundStep | AccountStep<A> | EndStep;

/** Whether the outcome of an account's job is final. */
export function isFinal({ error }: AccountStep): boolean {
  return (
    error === null ||
    error instanceof JobFailedError ||
    error instanceof JobCanceledError ||
    error instanceof NotFoundError
  );
}
