import { hintedDelay } from '../request/retries/backoff.ts';

/** One read of a job, as far as the next poll depends on it. */
export interface Reading {
  /** `retry_after_seconds` of the job; null when the service gave none or an invalid one. */
  readonly hintSeconds: number | null;
  /** The service waited for a change (`Preference-Applied: wait`). */
  readonly waited: boolean;
  /** Whether the job differs from the previous read. */
  readonly changed: boolean;
  /** The duration of this read. */
  readonly tookMs: number;
  /** How long the service was asked to wait. */
  readonly waitMs: number;
}

/** Without a hint, for example in a state that this version does not know. */
const DEFAULT_HINT_SECONDS = 2;
/** The service's smallest hint; anything smaller would be a busy loop. */
const SMALLEST_HINT_SECONDS = 1;
/** Between two long polls, because the service has already waited. */
const LONG_POLL_GAP_MS = 25;

/** How long to sleep before the next poll, in milliseconds. Never shorter than the service's hint. */
export function delayAfterReading(reading: Reading, random: () => number): number {
  const { waited, changed, tookMs, waitMs } = reading;
  // If a service claims that it waited but answers early without news, its hint is used instead.
  if (waited && (changed || tookMs >= waitMs / 2)) return LONG_POLL_GAP_MS;
  return hintedDelay(hintMs(reading.hintSeconds), random);
}

function hintMs(seconds: number | null): number {
  const told = Number.isFinite(seconds) ? seconds : null;
  return Math.max(told ?? DEFAULT_HINT_SECONDS, SMALLEST_HINT_SECONDS) * 1000;
}
