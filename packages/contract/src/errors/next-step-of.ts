import { STEPS } from '../generated/next-steps.ts';
import {
  CHECK_BEFORE_REPEAT,
  CONTACT_OPERATOR,
  inTermsOf,
  type NextStep,
  type NextStepTerms,
  REPEAT_LATER,
  RESUBMIT_LATER,
} from './next-step.ts';

/** What is known about a failure when its next step is requested. */
export interface KnownFailure {
  readonly code: string;
  /** From the error itself, which may be stricter than the table. */
  readonly retryable: boolean;
  /** Whether the failed job had an effect at the institution; omitted when there was no job. */
  readonly hadEffect?: 'no' | 'unknown' | 'yes' | undefined;
}

/** The next step after an error in a surface's words, also for a code that this table does not know. */
export function nextStepOf(failure: KnownFailure, terms: NextStepTerms): NextStep {
  return inTermsOf(stepOf(failure), terms);
}

function stepOf({ code, retryable, hadEffect }: KnownFailure): NextStep {
  const [nextStep, mayBeRetried] = stepOfCode(code) ?? [];
  const isUnclear = hadEffect === 'unknown' && nextStep?.kind !== 'check_institution';
  if (isUnclear) return CHECK_BEFORE_REPEAT;
  if (nextStep === undefined) {
    // Without a job, the request itself may have been accepted: another key could make a second job of it.
    const again = hadEffect === undefined ? REPEAT_LATER : RESUBMIT_LATER;
    return retryable ? again : CONTACT_OPERATOR;
  }
  // Temporary in general but final here: a writing action that is not known to have had no effect.
  const isUnsafe =
    mayBeRetried && !retryable && hadEffect === undefined && nextStep.kind.startsWith('wait_');
  return isUnsafe ? CHECK_BEFORE_REPEAT : nextStep;
}

/** The step of the table, and whether a retry may succeed. */
function stepOfCode(code: string): readonly [step: NextStep, mayBeRetried: boolean] | undefined {
  const isIn = (codes = '') => code !== '' && codes.split(' ').includes(code);
  for (const [kind, ko, en, final, retryable] of STEPS) {
    if (isIn(final) || isIn(retryable)) return [{ kind, ko, en }, isIn(retryable)];
  }
  return undefined;
}
