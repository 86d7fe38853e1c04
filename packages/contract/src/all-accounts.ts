import type { ErrorCode } from './errors.ts';

/** State of an all-accounts call after a round. */
export interface RoundOutcome {
  /** Accounts of the call that have a job, all rounds together. */
  readonly submitted: number;
  /** Accounts that the service left for another round. */
  readonly remaining: number;
  /** Code of the interruption; null when the round was not interrupted. */
  readonly interruption: string | null;
  /** Milliseconds to pause before the next round. */
  readonly pauseMs: number;
  /** Milliseconds until the caller's deadline; Infinity without one. */
  readonly leftMs: number;
  /** What the caller wants if the first round could not submit a single job. */
  readonly whenFull: 'wait' | 'return';
}

/**
 * What happens after a round:
 * - `again`: pause, then send another round.
 * - `submitted`: every account has a job.
 * - `interrupted`: waiting does not remove the cause, or not before the deadline.
 * - `full`: no job could be created, and the caller does not want to wait.
 * - `deadline`: the pause would exceed the deadline.
 */
export type AfterRound = 'again' | 'submitted' | 'interrupted' | 'full' | 'deadline';

/** Interruptions that end on their own; after any other, the cause must be fixed first. */
const PASSING_INTERRUPTIONS: ReadonlySet<string> = new Set<ErrorCode>([
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
]);

/** The rules by which every all-accounts driver stops sending rounds. */
export function afterRound(round: RoundOutcome): AfterRound {
  const { submitted, remaining, interruption, pauseMs, leftMs, whenFull } = round;
  if (remaining === 0) return 'submitted';
  if (interruption !== null && !PASSING_INTERRUPTIONS.has(interruption)) return 'interrupted';
  if (submitted === 0 && whenFull === 'return') {
    return interruption === null ? 'full' : 'interrupted';
  }
  if (pauseMs >= leftMs) return interruption === null ? 'deadline' : 'interrupted';
  return 'again';
}
