import { inTermsOf, type NextStep, type NextStepTerms } from '@changgu/contract';
import { ChangguError } from './changgu-error.ts';
import {
  CALL_AGAIN_IF_WANTED,
  CHECK_ADDRESS,
  CHECK_CONNECTION,
  CORRECT_SETTING,
  REPEAT_CALL,
  stepAfter,
} from './local-steps.ts';

/** An option, environment variable or argument is invalid. Nothing was sent. */
export class ConfigurationError extends ChangguError {
  override readonly name = 'ConfigurationError';
  override readonly code = 'CONFIGURATION_INVALID';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(CORRECT_SETTING, terms);
  }
}

/** The connection could not be established or broke. */
export class ConnectionError extends ChangguError {
  override readonly name = 'ConnectionError';
  override readonly code = 'CONNECTION_FAILED';
  /** The request cannot have reached the service (refused, DNS, TLS), so a retry is always safe. */
  readonly neverSent: boolean;
  /** Code of the system or the transport, e.g. `ECONNREFUSED`. */
  readonly systemCode: string | null;

  constructor(
    message: string,
    options: { neverSent: boolean; systemCode: string | null; retryable: boolean; cause: unknown },
  ) {
    super(message, options);
    this.neverSent = options.neverSent;
    this.systemCode = options.systemCode;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return stepAfter(this, CHECK_CONNECTION, terms);
  }
}

/** Which of the three clocks expired. */
export type ClockName = 'attempt' | 'total' | 'stall';

/** A request did not finish in time. The service may have done the work. */
export class TimeoutError extends ChangguError {
  override readonly name = 'TimeoutError';
  override readonly code = 'TIMEOUT';
  readonly clock: ClockName;
  readonly limitMs: number;

  constructor(clock: ClockName, limitMs: number) {
    super(`The ${clock} clock ran out after ${limitMs} ms.`, { retryable: true });
    this.clock = clock;
    this.limitMs = limitMs;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return stepAfter(this, REPEAT_CALL, terms);
  }
}

/** The caller's signal aborted the call. `cause` is the signal's reason. */
export class AbortedError extends ChangguError {
  /** The name that every runtime and library uses for aborts. */
  override readonly name = 'AbortError';
  override readonly code = 'ABORTED';

  constructor(reason: unknown) {
    super('The call was aborted.', { cause: reason });
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(CALL_AGAIN_IF_WANTED, terms);
  }
}

/** The service answered with a redirect. It is never followed, because that would send the credentials elsewhere. */
export class RedirectRefusedError extends ChangguError {
  override readonly name = 'RedirectRefusedError';
  override readonly code = 'REDIRECT_REFUSED';
  readonly status: number;

  constructor(status: number) {
    super(`The service answered with a redirect (${status}), which is never followed.`);
    this.status = status;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(CHECK_ADDRESS, terms);
  }
}

/**
 * An answer whose body does not match the contract: truncated, not JSON, of another shape, or above 64 MiB. It is
 * `retryable` when something on the way may have damaged it; a complete answer of another shape would come again.
 */
export class InvalidResponseError extends ChangguError {
  override readonly name = 'InvalidResponseError';
  override readonly code = 'RESPONSE_INVALID';
  readonly status: number;

  constructor(
    status: number,
    what: string,
    options?: { readonly retryable?: boolean; readonly cause?: unknown },
  ) {
    super(`The answer (${status}) is not valid: ${what}.`, options);
    this.status = status;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return stepAfter(this, this.retryable ? REPEAT_CALL : CHECK_CONNECTION, terms);
  }
}
