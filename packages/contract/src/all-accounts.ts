import type { ErrorCode } from './errors.ts';

/** State of an all-accounts call after a round. */
export interface RoundOutcome {
  /** Accounts of the call that have a job, all rounds together. */
  readonly submitted: number;
  /** Accounts that the service left for a further round. */
  readonly remaining: number;
  /** Code of the interruption; null when the round was not interrupted. */
  readonly interruption: string | null;
  /** Milliseconds to pause before a further round. */
  readonly pauseMs: number;
  /** Milliseconds until the caller's deadline; Infinity without one. */
  readonly leftMs: number;
  /** What the caller wants when the first round found no room at all. */
  readonly whenFull: 'wait' | 'return';
}

/**
 * What follows a round:
 * - `again`: pause, then send a further round.
 * - `submitted`: every account has a job.
 * - `interrupted`: the cause does not pass by waiting, or not before the deadline.
 * - `full`: no job could be made, and the caller does not want to wait for room.
 * - `deadline`: the pause would outlast the deadline.
 */
export type AfterRound = 'again' | 'submitted' | 'interrupted' | 'full' | 'deadline';

/** Interruptions that pass by themselves; after any other the cause must be fixed first. */
const PASSING_INTERRUPTIONS: ReadonlySet<string> = new Set<ErrorCode>([
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
]);

/** The rules by which every driver of an all-accounts call stops sending rounds. */
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
