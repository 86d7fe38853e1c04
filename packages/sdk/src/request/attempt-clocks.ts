import { AbortedError, type ClockName, TimeoutError } from '../errors/transport-errors.ts';
import type { Clock } from './clock.ts';

export interface ClockLimits {
  /** One attempt, including headers and body. */
  readonly attemptMs: number;
  /** The remaining part of the whole call. */
  readonly totalLeftMs: number;
  /** The whole call, as set by the caller; named in the error. */
  readonly totalMs: number;
  /** Between two pieces of a body. */
  readonly stallMs: number;
}

/**
 * One attempt's three clocks and the caller's signal, combined into one signal.
 * Dispose after the body has ended, so that a long-lived caller's signal does not collect listeners.
 */
export class AttemptClocks {
  readonly #clock: Clock;
  readonly #limits: ClockLimits;
  readonly #caller: AbortSignal | undefined;
  readonly #controller = new AbortController();
  #limitTimer: unknown;
  #stallTimer: unknown;
  #failure: TimeoutError | AbortedError | null = null;

  constructor(clock: Clock, limits: ClockLimits, caller: AbortSignal | undefined) {
    this.#clock = clock;
    this.#limits = limits;
    this.#caller = caller;
    if (caller?.aborted) {
      this.#onAbort();
      return;
    }
    caller?.addEventListener('abort', this.#onAbort);
    const totalFirst = limits.totalLeftMs <= limits.attemptMs;
    const first = totalFirst ? limits.totalLeftMs : limits.attemptMs;
    if (Number.isFinite(first)) {
      this.#limitTimer = clock.setTimeout(
        () => this.#expire(totalFirst ? 'total' : 'attempt'),
        Math.max(0, first),
      );
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the signal aborted; null while it has not. */
  get failure(): TimeoutError | AbortedError | null {
    return this.#failure;
  }

  /** Starts the stall clock again; called for the headers and for every piece of the body. */
  touch(): void {
    this.#clock.clearTimeout(this.#stallTimer);
    if (Number.isFinite(this.#limits.stallMs)) {
      this.#stallTimer = this.#clock.setTimeout(() => this.#expire('stall'), this.#limits.stallMs);
    }
  }

  dispose(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort);
    this.#clock.clearTimeout(this.#limitTimer);
    this.#clock.clearTimeout(this.#stallTimer);
  }

  readonly #onAbort = (): void => this.#fail(new AbortedError(this.#caller?.reason));

  #expire(clock: ClockName): void {
    const { attemptMs, totalMs, stallMs } = this.#limits;
    const limit = { attempt: attemptMs, total: totalMs, stall: stallMs }[clock];
    this.#fail(new TimeoutError(clock, limit));
  }

  #fail(failure: TimeoutError | AbortedError): void {
    this.#failure = failure;
    this.dispose();
    this.#controller.abort(failure);
  }
}
