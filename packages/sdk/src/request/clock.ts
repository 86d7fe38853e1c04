/** The SDK's view of time. Tests provide a virtual one. */
export interface Clock {
  /** Milliseconds since the epoch, never decreasing. */
  now(): number;
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Keeps a virtual time still during real work that no timer shows, such as loading a module. */
  hold?<T>(work: Promise<T>): Promise<T>;
}

/** Longer delays overflow into 1 ms in every runtime. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  // Whole, because messages and errors name what is left of a limit.
  now: () => Math.round(performance.timeOrigin + performance.now()),
  setTimeout: (callback, milliseconds) =>
    setTimeout(callback, Math.min(milliseconds, MAX_TIMER_MS)),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};
