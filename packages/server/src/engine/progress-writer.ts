import { runningProgress } from '../rules/jobs/progress.ts';
import { storableText } from '../rules/storable-text.ts';
import type { EngineStore } from '../store/queue/engine-scripts.ts';
import type { Owned, Step } from '../store/queue/runs.ts';
import type { Timers } from '../timers.ts';

/** The minimum time between two writes of one job's progress. */
const WRITE_EVERY_MS = 250;
/** Steps of a write, so that none is too large for one: a connector may report each row that it reads. */
const STEPS_AT_ONCE = 200;

interface StepTime {
  readonly message: string;
  readonly began: number;
  readonly ended: number;
}

export interface ProgressWriter {
  progress(step: number, steps: number, message: string): void;
  /** Stops writing and returns the steps that are not in the timeline yet. */
  close(): Promise<readonly Step[]>;
}

/** Writes the latest progress that a connector reports, together with the steps in between. */
export function createProgressWriter(
  run: Owned,
  store: Pick<EngineStore, 'progress'>,
  timers: Timers,
  { lost, failed }: { readonly lost: () => void; readonly failed: (error: unknown) => void },
): ProgressWriter {
  const steps = createStepClock(timers);
  let shown: { progress: number; message: string } | undefined;
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
    const taken = steps.take();
    try {
      const mine = await store.progress({ ...run, ...shown, steps: taken.map(steps.aged) });
      if (!mine) lost();
    } catch (error) {
      // A lost progress update must not fail the job: its steps go with the next write.
      steps.giveBack(taken);
      failed(error);
    }
  }

  return {
    progress(step, count, said) {
      const message = storableText(said);
      steps.begin(message);
      shown = { progress: runningProgress(step, count), message };
      plan();
    },
    async close() {
      closed = true;
      planned?.();
      steps.endCurrent();
      await writing;
      return steps.take().map(steps.aged);
    },
  };
}

/** When each step began and ended. A step ends when the next one begins; those that are too many become one. */
function createStepClock(timers: Timers) {
  let current: { message: string; began: number } | undefined;
  let ended: StepTime[] = [];

  function add(step: StepTime): void {
    const last = ended.length < STEPS_AT_ONCE ? undefined : ended.pop();
    ended.push(last === undefined ? step : { ...step, began: last.began });
  }

  function endCurrent(): void {
    if (current) add({ ...current, ended: timers.monotonic() });
    current = undefined;
  }

  return {
    endCurrent,
    begin(message: string): void {
      endCurrent();
      current = { message, began: timers.monotonic() };
    },
    /** Removes and returns the steps that have ended. */
    take(): StepTime[] {
      const taken = ended;
      ended = [];
      return taken;
    },
    giveBack(taken: readonly StepTime[]): void {
      const later = ended;
      ended = [...taken];
      for (const step of later) add(step);
    },
    /** A step in the store's form: clocks differ between hosts, ages do not. */
    aged(step: StepTime): Step {
      return {
        message: step.message,
        agoMs: timers.monotonic() - step.began,
        tookMs: step.ended - step.began,
      };
    },
  };
}
