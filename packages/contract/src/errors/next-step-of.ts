import { STEP_OF_CODE, STEPS } from '../generated/next-steps.ts';
import {
  CHECK_BEFORE_REPEAT,
  CONTACT_OPERATOR,
  inTermsOf,
  type NextStep,
  type NextStepTerms,
  RESUBMIT_LATER,
} from './next-step.ts';

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
  const [place, mayBeRetried] = (Object.hasOwn(STEP_OF_CODE, code) && STEP_OF_CODE[code]) || [];
  const nextStep = place === undefined ? undefined : STEPS[place];
  const isUnclear = hadEffect === 'unknown' && nextStep?.kind !== 'check_institution';
  if (isUnclear) return CHECK_BEFORE_REPEAT;
  if (nextStep === undefined) return retryable ? RESUBMIT_LATER : CONTACT_OPERATOR;
  // Temporary for others, final here: an action that writes and is not known to have had no effect.
  const isUnsafe = mayBeRetried && !retryable && hadEffect === undefined && isWaiting(nextStep);
  return isUnsafe ? CHECK_BEFORE_REPEAT : nextStep;
}

function isWaiting({ kind }: NextStep): boolean {
  return kind === 'wait_and_retry' || kind === 'wait_for_institution';
}
