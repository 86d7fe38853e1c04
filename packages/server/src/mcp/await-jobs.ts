import { setMaxListeners } from 'node:events';
import type { JobReadResponse } from '@changgu/contract/schemas';
import type { JobWaits } from '../jobs/wait.ts';
import type { JobAccess } from '../rules/jobs/job-access.ts';

/** The remaining time of a call. */
export interface Patience {
  /** Milliseconds; 0 when the time is up or the caller is gone. */
  left(): number;
  readonly stopped: AbortSignal;
}

export function patienceFor(seconds: number, stopped: AbortSignal): Patience {
  const deadline = performance.now() + seconds * 1_000;
  return {
    left: () => (stopped.aborted ? 0 : Math.max(0, deadline - performance.now())),
    stopped,
  };
}

/** The jobs as soon as one of them changes, or their state after `ms`. */
export async function nextChange(
  waits: Pick<JobWaits, 'waitForChange'>,
  access: JobAccess,
  jobIds: readonly string[],
  { ms, stopped }: { readonly ms: number; readonly stopped: AbortSignal },
): Promise<JobReadResponse[]> {
  const changed = new AbortController();
  const signal = AbortSignal.any([stopped, changed.signal]);
  setMaxListeners(jobIds.length + 1, signal);
  return Promise.all(
    jobIds.map((jobId) =>
      waits
        .waitForChange(access, jobId, { seconds: ms / 1_000, signal })
        .finally(() => changed.abort()),
    ),
  );
}
