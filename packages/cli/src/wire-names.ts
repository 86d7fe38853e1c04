import type { EnvScope, JobState } from '@changgu/sdk';

/** Values that options offer. Repeated here, because the help must not load the SDK. */
export const ENV_SCOPES = [
  'sandbox',
  'real_test',
  'production',
] as const satisfies readonly EnvScope[];

export const JOB_STATES = [
  'QUEUED',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'TIMEOUT',
  'CANCELED',
] as const satisfies readonly JobState[];
