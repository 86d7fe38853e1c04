/** The six job states. */
export const JOB_STATES = [
  'QUEUED',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'TIMEOUT',
  'CANCELED',
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Final states. */
export const END_STATES = ['SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELED'] as const;
export type EndState = (typeof END_STATES)[number];

export function isEndState(state: string): state is EndState {
  return (END_STATES as readonly string[]).includes(state);
}

/** States of an all-accounts line: the six job states and NOT_SUBMITTED. */
export const LINE_STATES = [...JOB_STATES, 'NOT_SUBMITTED'] as const;

/** Whether a job changed anything at its institution. A reading job never does. */
export const EFFECTS = ['no', 'unknown', 'yes'] as const;
export type Effect = (typeof EFFECTS)[number];
