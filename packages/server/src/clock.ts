/**
 * Real time of this process, for what D133 never offsets: rate windows, token times, HTTP time-outs.
 * Business time is the database's (`store.clock.now()`), so that every process agrees on it.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly realNow: () => number;
}

export const systemClock: Clock = { realNow: () => Date.now() };
