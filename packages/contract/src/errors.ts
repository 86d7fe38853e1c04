import { ACCOUNT_ERRORS } from './errors/account-errors.ts';
import { INSTITUTION_ERRORS } from './errors/institution-errors.ts';
import { JOB_ERRORS } from './errors/job-errors.ts';
import {
  CHECK_BEFORE_REPEAT,
  CONTACT_OPERATOR,
  inTermsOf,
  type NextStep,
  type NextStepTerms,
  RESUBMIT_LATER,
} from './errors/next-step.ts';
import { REQUEST_ERRORS } from './errors/request-errors.ts';

export type { ErrorDefinition, ErrorSurface } from './errors/define-errors.ts';

/**
 * Every error code of the service, once.
 * VALIDATION_INVALID_FIELD answers 422 for shape and 400 for meaning; its row holds the 422.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCOUNT_ERRORS,
  ...JOB_ERRORS,
  ...INSTITUTION_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Is this string a code of the table? Codes from a newer server may not be. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** What is known of a failure when its next step is asked for. */
export interface KnownFailure {
  readonly code: string;
  /** As the error itself says it, which may be stricter than the table. */
  readonly retryable: boolean;
  /** Whether the job of the failure did something at the institution; left out where there was no job. */
  readonly hadEffect?: 'no' | 'unknown' | 'yes' | undefined;
}

/** What to do about an error in the words of a surface, also of a code that this table does not know. */
export function nextStepOf(failure: KnownFailure, terms: NextStepTerms): NextStep {
  return inTermsOf(stepOf(failure), terms);
}

function stepOf({ code, retryable, hadEffect }: KnownFailure): NextStep {
  const known = isErrorCode(code) ? ERRORS[code] : null;
  const isUnclear = hadEffect === 'unknown' && known?.nextStep.kind !== 'check_institution';
  if (isUnclear) return CHECK_BEFORE_REPEAT;
  if (known === null) return retryable ? RESUBMIT_LATER : CONTACT_OPERATOR;
  const { nextStep } = known;
  // Temporary for others, final here: an action that writes and is not known to have had no effect.
  const isUnsafe = known.retryable && !retryable && hadEffect === undefined && isWaiting(nextStep);
  return isUnsafe ? CHECK_BEFORE_REPEAT : nextStep;
}

function isWaiting({ kind }: NextStep): boolean {
  return kind === 'wait_and_retry' || kind === 'wait_for_institution';
}
