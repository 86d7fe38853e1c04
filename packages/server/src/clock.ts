/**
 * Real time of this process, which the test clock never moves: rate windows, token times, HTTP timeouts.
 * Business time is the database's (`store.clock.now()`), so that every process agrees on it.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly realNow: () => number;
}

export const systemClock: Clock = { realNow: () => Date.now() };
