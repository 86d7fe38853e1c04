import type { Timers } from '../../timers.ts';

export interface ManualTimers extends Timers {
  /** Advances time and runs the timers that fall due, in order. */
  pass(ms: number): void;
  /** The delay of each pending timer, soonest first. */
  planned(): number[];
}

/** Time that advances only when the test says so. */
export function createManualTimers(): ManualTimers {
  let now = 0;
  let calls: { at: number; call: () => void }[] = [];
  return {
    monotonic: () => now,
    after(ms, call) {
      const planned = { at: now + ms, call };
      calls.push(planned);
      return () => {
        calls = calls.filter((each) => each !== planned);
      };
    },
    pass(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = calls.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        calls = calls.filter((each) => each !== next);
        now = next.at;
        next.call();
      }
      now = until;
    },
    planned: () => calls.map(({ at }) => at - now).sort((a, b) => a - b),
  };
}
