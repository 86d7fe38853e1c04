import { NEXT_STEP_TERMS, type NextStep, type NextStepTerms } from '@changgu/contract';
import type { AllAccountsCheckpoint } from '../jobs/all-accounts/checkpoint.ts';

/** Shared by every copy of this package in a process, so that the guard works across realms and copies. */
const BRAND = Symbol.for('changgu.sdk.error');

/**
 * Why a call was given up:
 * - `not-retryable`: a retry cannot help, or could act twice.
 * - `max-retries`: all `maxRetries` were used.
 * - `retry-after`: the service asked for a longer pause than `maxRetryAfterMs`.
 * - `deadline`: `totalTimeoutMs` is over, or would be after the pause.
 * - `budget`: the client's `retryBudget` is spent.
 */
export type RetryStop = 'not-retryable' | 'max-retries' | 'retry-after' | 'deadline' | 'budget';

/** What is known about the failed call, whatever the failure was. */
export interface CallFacts {
  /** The API operation, for example `submitJob`; null when nothing was called. */
  readonly operation: string | null;
  /** The Idempotency-Key of the logical call: resend with it to find a job that may exist. */
  readonly idempotencyKey: string | null;
  /** Trace id sent with every attempt; give it to the operators of the service. */
  readonly traceId: string | null;
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /** Since the start of the call, including pauses. */
  readonly elapsedMs: number;
  /** The job of the call, or the one that the service named; null when there is none. */
  readonly jobId: string | null;
  /** Why the call was not retried, or not retried again; null when nothing was sent. */
  readonly retryStop: RetryStop | null;
  /** Where to resume the failed all-accounts call; null for every other call. */
  readonly checkpoint: AllAccountsCheckpoint | null;
}

/**
 * Root of every error of the SDK. `code` is stable; `message` is for people and may change.
 * Contains no headers, bodies, secrets or signed URLs.
 */
export abstract class ChangguError extends Error implements CallFacts {
  abstract readonly code: string;
  /** Whether the same call may succeed when repeated. */
  readonly retryable: boolean;
  readonly operation: string | null = null;
  readonly idempotencyKey: string | null = null;
  readonly traceId: string | null = null;
  readonly attempts: number = 0;
  readonly elapsedMs: number = 0;
  readonly jobId: string | null = null;
  readonly retryStop: RetryStop | null = null;
  readonly checkpoint: AllAccountsCheckpoint | null = null;

  constructor(message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** The next step: a kind to branch on, and a sentence in Korean and English. */
  get nextStep(): NextStep {
    return this.nextStepIn(NEXT_STEP_TERMS.sdk);
  }

  /** The same in the words of a program built on the SDK, which may have another name for the key. */
  abstract nextStepIn(terms: NextStepTerms): NextStep;

  toJSON(): Record<string, unknown> {
    const { name, code, message } = this;
    // Own properties without the cause, which comes from other code and may contain anything.
    return { name, code, message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** True for errors of this SDK, including those of another copy of it in the process. */
export function isBranded(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, BRAND) === true;
}
