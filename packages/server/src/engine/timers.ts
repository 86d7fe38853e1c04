/** Real time that only goes forward, and waiting on it. Tests bring their own. */
export interface Timers {
  /** Milliseconds since some moment, never set back. */
  monotonic(): number;
  /** Calls once after `ms`, unless the answer is called before. */
  after(ms: number, call: () => void): () => void;
}

export const realTimers: Timers = {
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits; rejects with the signal's reason when that comes first. */
export function pause(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Calls at once and then again and again, each time `ms` after the one before has ended. The answer
 * stops it, and waits for the call under way.
 */
export function repeat(
  timers: Timers,
  ms: () => number,
  call: () => Promise<void>,
): () => Promise<void> {
  let stopped = false;
  let cancel = () => {};
  const round = () =>
    call().finally(() => {
      if (stopped) return;
      cancel = timers.after(ms(), () => {
        running = round();
      });
    });
  let running = round();
  return async () => {
    stopped = true;
    cancel();
    await running;
  };
}

export interface SingleFlight {
  /** Starts the work; when it is under way, it is done once more afterwards. */
  call(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** Work that never runs twice at the same time. */
export function singleFlight(work: () => Promise<void>): SingleFlight {
  let again = false;
  let running: Promise<void> | undefined;
  async function run(): Promise<void> {
    while (again) {
      again = false;
      await work();
    }
    running = undefined;
  }
  return {
    call() {
      again = true;
      running ??= run();
    },
    idle: async () => running,
  };
}
