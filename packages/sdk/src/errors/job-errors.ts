import { inTermsOf, type NextStep, type NextStepTerms, nextStepOf } from '@changgu/contract';
import type { AllAccountsCheckpoint, Interruption } from '../jobs/all-accounts/checkpoint.ts';
import type { Job, JobFailure, JobStatus } from '../jobs/job.ts';
import type { ResumeToken } from '../jobs/resume-token.ts';
import { ChangguError } from './changgu-error.ts';
import { READ_JOB, RESUME_CHECKPOINT, WAIT_AGAIN } from './local-steps.ts';

/**
 * The job ended FAILED or TIMEOUT. If `hadEffect` is `no`, a new submission cannot act twice; `failure.retryable` says
 * whether it may succeed.
 */
export class JobFailedError extends ChangguError {
  override readonly name = 'JobFailedError';
  override readonly code = 'JOB_FAILED';
  readonly job: Job;
  override readonly jobId: string;
  readonly status: JobStatus;
  /** Null when the service gave no reason. */
  readonly failure: JobFailure | null;
  /** Whether the job changed anything at the institution. */
  readonly hadEffect: Job['hadEffect'];

  constructor(job: Job) {
    const { status, error, hadEffect } = job;
    const reason = error ? `: ${error.code}${error.message ? `, ${error.message}` : ''}` : '';
    super(asSentence(`The job ${job.jobId} ended ${status}${reason}`), {
      retryable: error?.retryable ?? false,
    });
    this.job = job;
    this.jobId = job.jobId;
    this.status = status;
    this.failure = error;
    this.hadEffect = hadEffect;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return this.failure
      ? nextStepOf({ ...this.failure, hadEffect: this.hadEffect }, terms)
      : inTermsOf(READ_JOB, terms);
  }
}

/** The job was canceled. */
export class JobCanceledError extends ChangguError {
  override readonly name = 'JobCanceledError';
  override readonly code = 'JOB_CANCELED';
  readonly job: Job;
  override readonly jobId: string;

  constructor(job: Job) {
    super(`The job ${job.jobId} was canceled.`);
    this.job = job;
    this.jobId = job.jobId;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return nextStepOf(
      { code: this.code, retryable: this.retryable, hadEffect: this.job.hadEffect },
      terms,
    );
  }
}

/**
 * The wait timed out; the job continues. Wait again, or store `resumeToken` for another process. `cause` is the error of
 * the last read, if it failed.
 */
export class WaitTimeoutError extends ChangguError {
  override readonly name = 'WaitTimeoutError';
  override readonly code = 'WAIT_TIMEOUT';
  readonly resumeToken: ResumeToken;
  override readonly jobId: string;
  readonly lastStatus: JobStatus | null;
  /** How often each state was seen, to tell a stuck queue from a slow institution. */
  readonly observed: Readonly<Record<string, number>>;

  /** @param cause why the last read of the job failed, if it did */
  constructor(
    resumeToken: ResumeToken,
    timeoutMs: number,
    observed: Readonly<Record<string, number>>,
    cause?: ChangguError,
  ) {
    const { jobId, lastStatus } = resumeToken;
    const end = `The job ${jobId} did not end within ${timeoutMs} ms (last seen ${lastStatus}).`;
    super(cause ? `${end} ${cause.message}` : end, { retryable: true, cause });
    this.resumeToken = resumeToken;
    this.jobId = jobId;
    this.lastStatus = lastStatus;
    this.observed = observed;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(WAIT_AGAIN, terms);
  }
}

/** An all-accounts call stopped midway. Fix the cause, then resume from `checkpoint`. */
export class AllAccountsInterruptedError extends ChangguError {
  override readonly name = 'AllAccountsInterruptedError';
  override readonly code = 'ALL_ACCOUNTS_INTERRUPTED';
  readonly interruption: Interruption;
  override readonly checkpoint: AllAccountsCheckpoint | null;

  constructor(interruption: Interruption, checkpoint: AllAccountsCheckpoint | null) {
    super(asSentence(`The call stopped midway: ${interruption.code}, ${interruption.message}`));
    this.interruption = interruption;
    this.checkpoint = checkpoint;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return nextStepOf({ code: this.interruption.code, retryable: true }, terms);
  }
}

/** The deadline of an all-accounts call has passed; its jobs continue. Resume from `checkpoint`. */
export class AllAccountsTimeoutError extends ChangguError {
  override readonly name = 'AllAccountsTimeoutError';
  override readonly code = 'ALL_ACCOUNTS_TIMEOUT';
  override readonly checkpoint: AllAccountsCheckpoint | null;

  constructor(timeoutMs: number, checkpoint: AllAccountsCheckpoint | null) {
    super(`The accounts did not all end within ${timeoutMs} ms.`, { retryable: true });
    this.checkpoint = checkpoint;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(RESUME_CHECKPOINT, terms);
  }
}

/** The service's messages may already end with a period. */
function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
