import { realTimers, type Timers } from '../../timers.ts';

export interface HurriedTimers extends Timers {
  /** Runs while short waits, such as that before a read is tried again, take no time. */
  hurry<Result>(during: () => Promise<Result>): Promise<Result>;
}

/** The longest wait before another attempt; leases and deadlines are longer. */
const SHORT_MS = 3_000;
/** Not zero: polls are short waits as well. */
const HURRIED_MS = 10;

/** Real time, but for what is hurried. */
export function createHurriedTimers(): HurriedTimers {
  let hurries = false;
  return {
    ...realTimers,
    after: (ms, call) => realTimers.after(hurries && ms <= SHORT_MS ? HURRIED_MS : ms, call),
    async hurry(during) {
      hurries = true;
      try {
        return await during();
      } finally {
        hurries = false;
      }
    },
  };
}
