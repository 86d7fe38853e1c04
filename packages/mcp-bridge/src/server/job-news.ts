import { type Changgu, isChangguError } from '@changgu/sdk';
import type { Log } from '../log.ts';

/** Tells which jobs have changed, by the service's own stream of events. */
export interface JobNews {
  /** Answers how to stop listening. The stream is open while someone listens. */
  subscribe(listener: (jobId: string) => void): () => void;
}

/** One stream for all who listen: the service bounds how many a key may have. */
export function jobNewsOf(client: Changgu, log: Log): JobNews {
  const listeners = new Set<(jobId: string) => void>();
  let open: AbortController | null = null;

  function tell(jobId: string): void {
    for (const listener of listeners) listener(jobId);
  }

  /** Changes made while the stream was being opened were not announced. */
  async function catchUp(signal: AbortSignal): Promise<void> {
    const { items } = await client.jobs.list({ limit: RECENT_JOBS }, { signal });
    for (const { jobId } of items) tell(jobId);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    let isOpen = false;
    const onPlace = () => {
      if (!isOpen) catchUp(signal).catch(() => undefined);
      isOpen = true;
    };
    try {
      for await (const { subject } of client.events.stream(
        { type: [...CHANGES] },
        { signal, onPlace },
      )) {
        if (subject.jobId) tell(subject.jobId);
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn('changes of jobs cannot be followed', {
        error: isChangguError(error) ? error.code : String(error),
      });
    } finally {
      // The next host that subscribes tries again.
      if (open?.signal === signal) open = null;
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (open === null) {
        open = new AbortController();
        void follow(open.signal);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        open?.abort();
        open = null;
      };
    },
  };
}

const RECENT_JOBS = 20;

const CHANGES = [
  'job.queued',
  'job.started',
  'job.progressed',
  'job.input_required',
  'job.finished',
  'artifact.expiring',
] as const;
