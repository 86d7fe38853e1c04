import type { EnvScope, JobState } from '@changgu/contract';
import { ERRORS, isErrorCode } from '@changgu/contract/errors';
import type { JobError, JobReadResponse, JobSubmitResponse } from '@changgu/contract/schemas';
import type { Language } from '../requests/language.ts';
import { hadEffect } from '../rules/jobs/had-effect.ts';
import { jobErrorOf } from '../rules/jobs/job-error.ts';
import { ownEnglish } from '../rules/jobs/own-sentences.ts';
import { shownMessage, shownProgress } from '../rules/jobs/progress.ts';
import { progressIn } from '../rules/jobs/progress-texts.ts';
import { retryAfterSeconds } from '../rules/jobs/retry-after.ts';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { JobFacts } from '../store/queue/job-reads.ts';

/** The job read response. */
export function jobView(job: JobFacts): JobReadResponse {
  return {
    job_id: job.id,
    status: job.status,
    env_scope: job.envScope,
    provider: job.provider,
    action: job.action,
    submitted_at: kstTime(job.submittedAt),
    started_at: kstTimeOrNull(job.startedAt),
    finished_at: kstTimeOrNull(job.finishedAt),
    retry_count: job.retryCount,
    progress: shownProgress(job),
    progress_message: shownMessage(job),
    retry_after_seconds: retryAfterSeconds(job.status, job.startedAt, job.now),
    error: jobError(job),
    had_effect: hadEffect(job),
  };
}

/** The same job for a reader of another language. What an institution wrote stays as it is. */
export function inLanguage<Job extends Pick<JobReadResponse, 'error' | 'progress_message'>>(
  job: Job,
  language: Language,
): Job {
  const { error, progress_message: message } = job;
  if (error === null && message === null) return job;
  return {
    ...job,
    progress_message: message && progressIn(language, message),
    error: error && errorIn(language, error),
  };
}

/** A job keeps our own sentences and the text of its code in Korean. */
function errorIn(language: Language, error: JobError): JobError {
  const { code, message } = error;
  if (language === 'ko' || message === null) return error;
  const ofCode = isErrorCode(code) && message === ERRORS[code].ko ? ERRORS[code].en : undefined;
  return { ...error, message: ofCode ?? ownEnglish(message) ?? message };
}

/** Only FAILED and TIMEOUT have an error. */
function jobError({ status, error }: JobFacts): JobError | null {
  return status === 'FAILED' || status === 'TIMEOUT' ? jobErrorOf(error) : null;
}

/** The submit response: six fields with the job's current state. */
export function submittedView(job: {
  readonly id: string;
  readonly status: JobState;
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly action: string;
  readonly submittedAt: number;
}): JobSubmitResponse {
  return {
    job_id: job.id,
    status: job.status,
    env_scope: job.envScope,
    provider: job.provider,
    action: job.action,
    submitted_at: kstTime(job.submittedAt),
  };
}
