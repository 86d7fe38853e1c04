import { runningProgress } from '../rules/jobs/progress.ts';
import type { EngineStore } from '../store/queue/engine-scripts.ts';
import type { Owned, Step } from '../store/queue/runs.ts';
import type { Timers } from './timers.ts';

/** At most so often is the progress of one job written. */
const WRITE_EVERY_MS = 250;

interface StepTime {
  readonly message: string;
  readonly began: number;
  readonly ended: number;
}

export interface ProgressWriter {
  progress(step: number, steps: number, message: string): void;
  /** Writes no more, and answers the steps that are not yet in the timeline. */
  close(): Promise<readonly Step[]>;
}

/** Shows what a connector announces: the latest of it, written together with the steps in between. */
export function createProgressWriter(
  run: Owned,
  store: Pick<EngineStore, 'progress'>,
  timers: Timers,
  lost: () => void,
): ProgressWriter {
  let shown: { progress: number; message: string } | undefined;
  let current: { message: string; began: number } | undefined;
  let ended: StepTime[] = [];
  let writing = Promise.resolve();
  let planned: (() => void) | undefined;
  let lastWrite = Number.NEGATIVE_INFINITY;
  let closed = false;

  function plan(): void {
    if (planned || closed) return;
    const wait = Math.max(0, lastWrite + WRITE_EVERY_MS - timers.monotonic());
    planned = timers.after(wait, () => {
      writing = writing.then(write);
    });
  }

  async function write(): Promise<void> {
    planned = undefined;
    lastWrite = timers.monotonic();
    if (shown === undefined) return;
    const taken = ended;
    ended = [];
    try {
      const mine = await store.progress({ ...run, ...shown, steps: taken.map(toStep) });
      if (!mine) lost();
    } catch {
      // Progress is worth no failure: its steps go with the next write.
      ended = [...taken, ...ended];
    }
  }

  function toStep(step: StepTime): Step {
    const now = timers.monotonic();
    return {
      message: step.message,
      agoMs: now - step.began,
      tookMs: step.ended - step.began,
    };
  }

  function endCurrent(): void {
    if (current) ended.push({ ...current, ended: timers.monotonic() });
    current = undefined;
  }

  return {
    progress(step, steps, message) {
      endCurrent();
      current = { message, began: timers.monotonic() };
      shown = { progress: runningProgress(step, steps), message };
      plan();
    },
    async close() {
      closed = true;
      planned?.();
      endCurrent();
      await writing;
      return ended.map(toStep);
    },
  };
}
