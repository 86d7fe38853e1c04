import { NEXT_STEP_TERMS, type NextStep, type NextStepTerms } from '@changgu/contract';
import type { AllAccountsCheckpoint } from '../jobs/all-accounts/checkpoint.ts';

/** Shared by every copy of this package in a process, so that the guard works across realms and duplicates. */
const BRAND = Symbol.for('changgu.sdk.error');

/**
 * Why a call was given up:
 * - `not-retryable`: repeating it cannot help, or could act twice.
 * - `max-retries`: `maxRetries` were made.
 * - `retry-after`: the service named a longer pause than `maxRetryAfterMs`.
 * - `deadline`: the pause would outlast `totalTimeoutMs`.
 * - `budget`: the client's `retryBudget` is spent.
 */
export type RetryStop = 'not-retryable' | 'max-retries' | 'retry-after' | 'deadline' | 'budget';

/** What is known of the call that failed, whatever the failure was. */
export interface CallFacts {
  /** Operation of the wire, e.g. `submitJob`; null when nothing was called. */
  readonly operation: string | null;
  /** The Idempotency-Key of the logical call: resend with it to find the job that may exist. */
  readonly idempotencyKey: string | null;
  /** Trace id sent with every attempt; give it to the operators of the service. */
  readonly traceId: string | null;
  /** Attempts made, the first included. */
  readonly attempts: number;
  /** From the start of the call, sleeps included. */
  readonly elapsedMs: number;
  /** The job that the call was about, or that the service named; null when there is none. */
  readonly jobId: string | null;
  /** Why the call was not retried, or not any more; null when nothing was sent. */
  readonly retryStop: RetryStop | null;
  /** Where to resume the all-accounts call that failed; null for every other call. */
  readonly checkpoint: AllAccountsCheckpoint | null;
}

/**
 * Root of every error of the SDK. `code` is stable; `message` is for people and may change.
 * Holds no header, body, secret or signed URL.
 */
export abstract class ChangguError extends Error implements CallFacts {
  abstract readonly code: string;
  /** May the same call be made again with a chance of success? */
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

  /** What to do about it: a kind to branch on, and a sentence in Korean and English. */
  get nextStep(): NextStep {
    return this.nextStepIn(NEXT_STEP_TERMS.sdk);
  }

  /** The same in the terms of a program that is built on the SDK, which may call the key something else. */
  abstract nextStepIn(terms: NextStepTerms): NextStep;

  toJSON(): Record<string, unknown> {
    const { name, code, message } = this;
    // Own properties only, without the cause: it comes from other code and may hold anything.
    return { name, code, message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** Writes the facts of the call onto an error on its way out; what is already known stays. */
export function withFacts<E extends ChangguError>(error: E, facts: Partial<CallFacts>): E {
  for (const [name, value] of Object.entries(facts)) {
    if (value !== null && value !== undefined && !Reflect.get(error, name)) {
      Reflect.set(error, name, value);
    }
  }
  return error;
}

/** True for errors of this SDK, also those of another copy of it in the process. */
export function isBranded(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, BRAND) === true;
}
