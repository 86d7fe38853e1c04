import { type Job, JobCanceledError, JobFailedError } from '@changgu/sdk';
import { ERRORS, isErrorCode, NEXT_STEP_TERMS } from '@changgu/sdk/catalogue';
import { CliError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Texts } from '../texts/ko.ts';

/** Why a job did not succeed: its state, the institution's message, the code, and the next step. */
export function jobFailure(job: Job, texts: Texts): CliError {
  const { jobId, status, error, hadEffect } = job;
  const said = error === null ? null : inOwnWords(error, texts);
  const why = error === null ? '' : `: ${[said, `(${error.code})`].filter(Boolean).join(' ')}`;
  const end = status === 'CANCELED' ? new JobCanceledError(job) : new JobFailedError(job);
  const nextStep = end.nextStepIn(NEXT_STEP_TERMS.cli);
  return new CliError(
    error?.code ?? `JOB_${status}`,
    `${texts.jobs.ended(jobId, status)}${why}`,
    EXIT.jobEnded,
    [
      texts.inLanguage(nextStep),
      // It names the login.
      ...(error?.code === 'AUTH_REQUIRED' ? [`changgu actions show ${job.action}`] : []),
    ],
    {
      job_id: jobId,
      job_status: status,
      retryable: error?.retryable ?? false,
      had_effect: hadEffect,
      next_step: nextStep.kind,
    },
  );
}

/** A job stores its code's text in Korean; an institution's text stays as it is. */
function inOwnWords({ code, message }: NonNullable<Job['error']>, texts: Texts): string | null {
  if (!isErrorCode(code) || message !== ERRORS[code].ko) return message;
  return texts.inLanguage(ERRORS[code]);
}
