import type { SignalName } from './io.ts';

/** Exit codes. Scripts depend on them: a code never changes its meaning. */
export const EXIT = {
  /** Done, or the job succeeded. Also when the reader closed the pipe. */
  ok: 0,
  /** The operation, the service or the network failed, or the output or a file could not be written. */
  failed: 1,
  /** Wrong usage or invalid input. Nothing was changed; what the input names may have been read. */
  usage: 2,
  /** The job ended FAILED, TIMEOUT or CANCELED. */
  jobEnded: 3,
  /** Not logged in, or not allowed. */
  forbidden: 4,
  /** All accounts have ended, some without success. */
  someFailed: 6,
  /** Rate limited or busy, and nothing was accepted: safe to repeat later. */
  busy: 7,
  /** The wait timed out; the job continues. */
  stillOpen: 8,
  /** SIGINT, or a no to a question. */
  interrupted: 130,
  /** SIGTERM, or SIGHUP of a closed terminal. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Of a run that a signal stopped. */
export function exitCodeAfter(signal: SignalName): ExitCode {
  return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
}
