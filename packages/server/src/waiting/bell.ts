import { realTimers, type Timers } from '../timers.ts';

export interface Bell {
  ring(): void;
  /** Resolves when it rings, or has rung since it was last heard, and after `ms` at the latest. */
  heard(ms: number): Promise<void>;
}

/** Remembers a signal that arrived while nothing listened, so that no change is missed between two reads. */
export function createBell(timers: Timers = realTimers): Bell {
  let rung = false;
  let answer: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    async heard(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const cancel = timers.after(ms, resolve);
          answer = () => {
            cancel();
            resolve();
          };
        });
      }
      answer = undefined;
      rung = false;
    },
  };
}
