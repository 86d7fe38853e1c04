import { isEndState, LIMITS } from '@changgu/contract';
import type { JobReadResponse } from '@changgu/contract/schemas';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import type { Store } from '../store/database.ts';
import { createBell } from '../waiting/bell.ts';
import { createWaitingRoom } from '../waiting/waiting-room.ts';
import { readJob } from './read.ts';

/** Signals between processes can be lost, so a waiting reader also checks regularly. */
const FLOOR_MS = 5_000;

export interface JobWaits {
  /**
   * Returns the job as soon as its visible state differs from that at the start of the call, or its state after
   * `seconds` or when `signal` aborts. A finished job is returned at once.
   * @throws ServiceError JOB_NOT_FOUND
   */
  readonly waitForChange: (
    access: JobAccess,
    jobId: string,
    options: { readonly seconds: number; readonly signal?: AbortSignal },
  ) => Promise<JobReadResponse>;
  readonly close: () => void;
}

/** The waiting readers of one process, behind one listener. */
export function createJobWaits(store: Pick<Store, 'jobs' | 'onSignal'>): JobWaits {
  const room = createWaitingRoom(store, (signal) => ('jobId' in signal ? signal.jobId : null));

  return {
    async waitForChange(access, jobId, options) {
      const deadline =
        performance.now() + Math.min(options.seconds, LIMITS.preferWaitSeconds) * 1000;
      const bell = createBell();
      const leave = room.enter(jobId, bell.ring);
      options.signal?.addEventListener('abort', bell.ring);
      try {
        const first = await readJob(store, access, jobId);
        let job = first;
        while (!isEndState(job.status) && shownOf(job) === shownOf(first)) {
          const left = deadline - performance.now();
          if (left <= 0 || options.signal?.aborted) break;
          await bell.heard(Math.min(left, FLOOR_MS));
          job = await readJob(store, access, jobId);
        }
        return job;
      } finally {
        leave();
        options.signal?.removeEventListener('abort', bell.ring);
      }
    },
    close: room.close,
  };
}

/** The fields whose change callers can see; retry_after_seconds is only advice. */
function shownOf({ status, progress, progress_message, retry_count }: JobReadResponse): string {
  return JSON.stringify([status, progress, progress_message, retry_count]);
}
