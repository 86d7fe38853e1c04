import { isEndState, LIMITS } from '@changgu/contract';
import type { JobReadResponse } from '@changgu/contract/schemas';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import type { Store } from '../store/database.ts';
import type { Signal } from '../store/transactions/script.ts';
import { readJob } from './read.ts';

/** Signals can be lost between processes, so a waiting reader looks now and then by itself. */
const FLOOR_MS = 5_000;
/** Another process's writes come in swarms and are mostly about other jobs. */
const CHANGED_PAUSE_MS = 100;

export interface JobWaits {
  /**
   * Returns the job as soon as its visible state differs from that at the start of the call, or as it is after
   * `seconds` or when `signal` aborts. A job that has ended is answered at once.
   * @throws ServiceError JOB_NOT_FOUND
   */
  readonly waitForChange: (
    access: JobAccess,
    jobId: string,
    options: { readonly seconds: number; readonly signal?: AbortSignal },
  ) => Promise<JobReadResponse>;
  readonly close: () => void;
}

/** Waiting readers of one process, behind one listener. */
export function createJobWaits(store: Pick<Store, 'jobs' | 'onSignal'>): JobWaits {
  const room = createWaitingRoom(store);

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

/** Who waits for which job, and is told to look when a signal names it. */
function createWaitingRoom(store: Pick<Store, 'onSignal'>) {
  const waiting = new Map<string, Set<() => void>>();
  let changedTimer: NodeJS.Timeout | undefined;

  function wake(jobId: string): void {
    for (const look of waiting.get(jobId) ?? []) look();
  }

  function wakeAll(): void {
    changedTimer = undefined;
    for (const looks of waiting.values()) for (const look of looks) look();
  }

  const stop = store.onSignal((signal: Signal) => {
    if ('jobId' in signal) wake(signal.jobId);
    else if (signal.kind === 'changed' && waiting.size > 0) {
      changedTimer ??= setTimeout(wakeAll, CHANGED_PAUSE_MS);
    }
  });

  return {
    /** Answers how to leave. */
    enter(jobId: string, look: () => void): () => void {
      const looks = waiting.get(jobId) ?? new Set();
      looks.add(look);
      waiting.set(jobId, looks);
      return () => {
        looks.delete(look);
        if (looks.size === 0) waiting.delete(jobId);
      };
    },
    close(): void {
      stop();
      clearTimeout(changedTimer);
    },
  };
}

/** What counts as a change for callers; retry_after_seconds is only advice. */
function shownOf({ status, progress, progress_message, retry_count }: JobReadResponse): string {
  return JSON.stringify([status, progress, progress_message, retry_count]);
}

/** Remembers a signal that arrived while nothing listened, so that no change is missed between two reads. */
function createBell() {
  let rung = false;
  let answer: (() => void) | undefined;
  return {
    ring: (): void => {
      rung = true;
      answer?.();
    },
    heard: async (ms: number): Promise<void> => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          answer = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      answer = undefined;
      rung = false;
    },
  };
}
