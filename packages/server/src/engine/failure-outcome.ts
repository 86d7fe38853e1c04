import type { ErrorCode } from '@changgu/contract';
import { ERRORS } from '@changgu/contract/errors';
import { InstitutionError } from '../institutions/institution-error.ts';
import type { Outcome } from '../rules/endings/endings.ts';
import { CANCELED, failed, timedOut } from '../rules/endings/endings.ts';
import { isStoreAway, ServiceError } from '../rules/service-error.ts';
import { JobStopped } from './job-stopped.ts';

export interface FailureContext {
  readonly irreversible: boolean;
  /** Past the point of no return. */
  readonly pastPoint: boolean;
}

/** How a failed run ends its job; null when another process will end it. */
export function failureOutcome(error: unknown, context: FailureContext): Outcome | null {
  const { irreversible, pastPoint } = context;
  if (error instanceof JobStopped) return stopOutcome(error, context);
  // The database was lost during the run: let the lease expire so that a worker with a connection takes over.
  if (isStoreAway(error) && !pastPoint) return null;
  const institution = error instanceof InstitutionError ? error : undefined;
  const said = {
    irreversible,
    upstreamStatus: institution?.details.upstreamStatus,
    providerErrorRef: institution?.details.providerErrorRef,
  };
  if (pastPoint && institution?.details.refused !== true) {
    return failed({ ...said, code: 'PROVIDER_OUTCOME_UNCONFIRMED' });
  }
  const code = codeOf(error);
  const message =
    error instanceof ServiceError ? error.details.message?.ko : institution?.details.message;
  const retryable = institution?.details.retryable;
  return failed(
    { ...said, code, message, retryable },
    code === 'JOB_TIMEOUT' ? 'TIMEOUT' : 'FAILED',
  );
}

function stopOutcome({ reason }: JobStopped, context: FailureContext): Outcome | null {
  const { irreversible, pastPoint } = context;
  switch (reason) {
    case 'canceled':
      return pastPoint ? failed({ code: 'PROVIDER_OUTCOME_UNCONFIRMED', irreversible }) : CANCELED;
    case 'deadline':
      return timedOut(irreversible, pastPoint ? 'PROVIDER_OUTCOME_UNCONFIRMED' : 'JOB_TIMEOUT');
    case 'lost':
    case 'ended':
    case 'shutdown':
      return null;
  }
}

/** The code for `job.error`; a code that is not allowed there becomes an internal error. */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof InstitutionError || error instanceof ServiceError))
    return 'INTERNAL_ERROR';
  return ERRORS[error.code].where.some((place) => place === 'job') ? error.code : 'INTERNAL_ERROR';
}
