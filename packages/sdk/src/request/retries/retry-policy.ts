import { ApiError } from '../../errors/api-error.ts';
import type { ChangguError, RetryStop } from '../../errors/changgu-error.ts';
import {
  ConnectionError,
  InvalidResponseError,
  TimeoutError,
} from '../../errors/transport-errors.ts';
import { backoffDelay, hintedDelay } from './backoff.ts';

/**
 * The effect of repeating an operation:
 * - `read`: nothing changes.
 * - `keyed`: an Idempotency-Key makes the repeat find the first one's job.
 * - `repeatable`: repeating has no further effect (cancel, delete, replace a whole value).
 * - `once`: a repeat could act twice, or is refused because what it removes is gone.
 */
export type Repeat = 'read' | 'keyed' | 'repeatable' | 'once';

export interface RetrySituation {
  readonly repeat: Repeat;
  /** Retries made so far. */
  readonly retries: number;
  readonly maxRetries: number;
  /** A longer Retry-After fails at once instead of sleeping. */
  readonly maxRetryAfterMs: number;
  /** The remaining part of the total clock. @default no limit */
  readonly leftMs?: number;
  readonly random: () => number;
}

const TEMPORARY_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Codes about the keyed job's own end: the same key would only return the same ended job. */
const JOB_OUTCOME = /^(PROVIDER_|JOB_|EMPLOYMENT_)/;

/** How long to sleep before the next attempt, or why to give up with this error. */
export function retryDelay(error: ChangguError, situation: RetrySituation): number | RetryStop {
  if (!mayRepeat(error, situation.repeat)) return 'not-retryable';
  if (error instanceof TimeoutError && error.clock === 'total') return 'deadline';
  if (situation.retries >= situation.maxRetries) return 'max-retries';
  const hint = error instanceof ApiError ? error.retryAfterMs : null;
  if (hint !== null && hint > situation.maxRetryAfterMs) return 'retry-after';
  const delay =
    hint === null
      ? backoffDelay(situation.retries + 1, situation.random)
      : hintedDelay(hint, situation.random);
  return delay < (situation.leftMs ?? Number.POSITIVE_INFINITY) ? delay : 'deadline';
}

/** A retry after a pause that the service requested is expected load, so it does not use the budget. */
export function costsBudget(error: ChangguError): boolean {
  return !(error instanceof ApiError && error.status === 429 && error.retryAfterMs !== null);
}

/** The retry table: which failures may be retried for which kind of operation. */
export function mayRepeat(error: ChangguError, repeat: Repeat): boolean {
  if (!error.retryable) return false;
  if (error instanceof ConnectionError) return error.neverSent || repeat !== 'once';
  if (error instanceof TimeoutError || error instanceof InvalidResponseError) {
    return repeat !== 'once';
  }
  if (!(error instanceof ApiError)) return false;
  // A rate limit refuses before anything happens, so even a write without a key may be retried.
  if (repeat === 'once') return error.code === 'RATE_LIMITED';
  if (repeat === 'keyed' && JOB_OUTCOME.test(error.code)) return false;
  return TEMPORARY_STATUS.has(error.status);
}
