import { hintedDelay } from '../request/backoff.ts';

/** One reading of a job, as far as the next poll depends on it. */
export interface Reading {
  /** `retry_after_seconds` of the job; null or nonsense when the service gave none. */
  readonly hintSeconds: number | null;
  /** The service waited for a change (`Preference-Applied: wait`). */
  readonly waited: boolean;
  /** Is the job other than at the reading before? */
  readonly changed: boolean;
  /** How long this reading took. */
  readonly tookMs: number;
  /** How long the service was asked to wait. */
  readonly waitMs: number;
}

/** Where there is no hint, e.g. in a state that this version does not know. */
const DEFAULT_HINT_SECONDS = 2;
/** The smallest hint of the service; a smaller one would be a busy loop. */
const SMALLEST_HINT_SECONDS = 1;
/** Between two long polls: the waiting was done by the service. */
const LONG_POLL_GAP_MS = 25;

/** How long to sleep before the next poll, in milliseconds. Never shorter than the service asked for. */
export function delayAfterReading(reading: Reading, random: () => number): number {
  const { waited, changed, tookMs, waitMs } = reading;
  // A service that says it waited, but answers early without news, is polled by its hint instead.
  if (waited && (changed || tookMs >= waitMs / 2)) return LONG_POLL_GAP_MS;
  return hintedDelay(hintMs(reading.hintSeconds), random);
}

function hintMs(seconds: number | null): number {
  const told = Number.isFinite(seconds) ? seconds : null;
  return Math.max(told ?? DEFAULT_HINT_SECONDS, SMALLEST_HINT_SECONDS) * 1000;
}
