import type { EndState, ErrorCode } from '@changgu/contract';
import { ERRORS } from '@changgu/contract/errors';
import type { JobError } from '@changgu/contract/schemas';
import { storableText } from '../storable-text.ts';

/** How a job ended: the input of `end`, the only writer of an end state. */
export interface Outcome {
  /** A credential was sent and it is unknown whether it was accepted, so the link waits before sending it again. */
  readonly spacesLogins?: boolean;
  readonly leaveAlone?: LeaveAlone | undefined;
  readonly status: EndState;
  /** JSON of JobError, for FAILED and TIMEOUT. */
  readonly error: string | null;
  readonly result: Uint8Array | null;
  readonly resultAsFile: boolean;
  /** The files written with it, for its receipt. */
  readonly files?: readonly FileFacts[];
}

/** The institution asked not to be contacted for a while. */
export interface LeaveAlone {
  readonly ms: number;
  /** The environments that reach the same site. */
  readonly envScopes: readonly ('real_test' | 'production')[];
}

/** A file of a job, without its bytes and its name. */
export interface FileFacts {
  readonly id: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface FailureDetails {
  readonly code: ErrorCode;
  readonly irreversible: boolean;
  /** Defaults to the error table. */
  readonly retryable?: boolean | undefined;
  /** Korean; defaults to the error table's text. */
  readonly message?: string | undefined;
  readonly upstreamStatus?: number | undefined;
  readonly providerErrorRef?: string | undefined;
}

/** A job's error: never retryable for an irreversible action. */
export function jobError(details: FailureDetails): JobError {
  const { code, irreversible, providerErrorRef: ref } = details;
  const { retryable = ERRORS[code].retryable } = details;
  return {
    code,
    message: storableText(details.message ?? ERRORS[code].ko),
    retryable: !irreversible && retryable,
    provider_error_ref: ref === undefined ? null : storableText(ref),
    upstream_status: details.upstreamStatus ?? null,
  };
}

export function failed(
  details: FailureDetails,
  status: EndState & ('FAILED' | 'TIMEOUT') = 'FAILED',
): Outcome {
  return { status, error: JSON.stringify(jobError(details)), result: null, resultAsFile: false };
}

/** It did not finish in time, queued or running. */
export function timedOut(irreversible: boolean, code: ErrorCode = 'JOB_TIMEOUT'): Outcome {
  return failed({ code, irreversible }, 'TIMEOUT');
}

/** Its result is sealed later. */
export const SUCCEEDED: Outcome = {
  status: 'SUCCEEDED',
  error: null,
  result: null,
  resultAsFile: false,
};

export const CANCELED: Outcome = {
  status: 'CANCELED',
  error: null,
  result: null,
  resultAsFile: false,
};

/** What a sweep must know about an unfinished job. */
export interface UnfinishedJob {
  readonly status: 'QUEUED' | 'RUNNING';
  readonly queueDeadlineAt: number;
  readonly deadlineAt: number | null;
  /** Real time. */
  readonly leaseUntil: number | null;
  readonly takeovers: number;
  readonly cancelRequested: boolean;
  readonly pastPoint: boolean;
  /** Its worker sent a credential, so no other worker may send it again. */
  readonly credentialSent: boolean;
}

export interface SweepTime {
  readonly now: number;
  readonly realNow: number;
  readonly leaseMs: number;
  readonly maxTakeovers: number;
}

/** How the sweeper must end a job, or null while a worker may still end it (D03). */
export function dueEnding(
  job: UnfinishedJob,
  time: SweepTime,
  irreversible: boolean,
): Outcome | null {
  if (job.status === 'QUEUED') {
    return job.queueDeadlineAt <= time.now ? timedOut(irreversible) : null;
  }
  const deadline = job.deadlineAt ?? Number.POSITIVE_INFINITY;
  if (job.pastPoint) {
    // Such a job is never taken over; its owner had until now to report the outcome.
    const abandoned = deadline + time.leaseMs <= time.now;
    return abandoned ? failed({ code: 'PROVIDER_OUTCOME_UNCONFIRMED', irreversible: true }) : null;
  }
  // Another process cannot know whether the lost worker's credential was accepted.
  const spacing = job.credentialSent ? { spacesLogins: true } : {};
  if (deadline <= time.now) return { ...timedOut(irreversible), ...spacing };
  if ((job.leaseUntil ?? 0) >= time.realNow) return null;
  if (job.cancelRequested) return { ...CANCELED, ...spacing };
  if (!job.credentialSent && job.takeovers < time.maxTakeovers) return null;
  return { ...failed({ code: 'JOB_WORKER_LOST', irreversible }), ...spacing };
}
