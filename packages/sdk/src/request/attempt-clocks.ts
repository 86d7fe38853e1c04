import { AbortedError, type ClockName, TimeoutError } from '../errors/transport-errors.ts';
import type { Clock } from './clock.ts';

const UNLIMITED = Number.POSITIVE_INFINITY;

/** What is not given has no limit. Named in the error as the caller set it. */
export interface ClockLimits {
  /** One attempt, including headers and body. */
  readonly attemptTimeoutMs?: number;
  /** The whole call. */
  readonly totalTimeoutMs?: number;
  /** Between two pieces of a body. */
  readonly stallTimeoutMs?: number;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One attempt's three clocks and the caller's signal, combined into one signal.
 * Dispose after the body has ended, so that a long-lived caller's signal does not collect listeners.
 */
export class AttemptClocks {
  readonly #clock: Clock;
  readonly #limits: ClockLimits;
  readonly #controller = new AbortController();
  #limitTimer: unknown;
  #stallTimer: unknown;
  #failure: TimeoutError | AbortedError | null = null;

  /** @param leftMs the remaining part of the whole call */
  constructor(clock: Clock, limits: ClockLimits, leftMs = limits.totalTimeoutMs ?? UNLIMITED) {
    this.#clock = clock;
    this.#limits = limits;
    const { signal, attemptTimeoutMs = UNLIMITED } = limits;
    if (signal?.aborted) {
      this.#onAbort();
      return;
    }
    signal?.addEventListener('abort', this.#onAbort);
    const name = leftMs <= attemptTimeoutMs ? 'total' : 'attempt';
    this.#limitTimer = this.#start(name, Math.min(leftMs, attemptTimeoutMs));
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
    this.#stallTimer = this.#start('stall', this.#limits.stallTimeoutMs);
  }

  dispose(): void {
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
    this.#clock.clearTimeout(this.#limitTimer);
    this.#clock.clearTimeout(this.#stallTimer);
  }

  readonly #onAbort = (): void => this.#fail(new AbortedError(this.#limits.signal?.reason));

  /** Starts a clock, if it has a limit. */
  #start(name: ClockName, ms = UNLIMITED): unknown {
    if (!Number.isFinite(ms)) return undefined;
    const fail = () => this.#fail(new TimeoutError(name, this.#limits[`${name}TimeoutMs`] ?? ms));
    return this.#clock.setTimeout(fail, Math.max(0, ms));
  }

  #fail(failure: TimeoutError | AbortedError): void {
    this.#failure = failure;
    this.dispose();
    this.#controller.abort(failure);
  }
}
