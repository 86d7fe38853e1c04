/** Real, monotonic time and waiting on it. Tests provide their own. */
export interface Timers {
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /** Calls once after `ms`, unless canceled by the returned function. */
  after(ms: number, call: () => void): () => void;
}

export const realTimers: Timers = {
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits; rejects with the signal's reason if the signal aborts first. */
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
 * Calls at once and then repeatedly, each time `ms` after the previous call ended. The returned function
 * stops it and waits for the call in progress.
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
  /** Starts the work; if it is already running, it runs once more afterwards. */
  call(): void;
  /** Resolves when nothing is running. */
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
