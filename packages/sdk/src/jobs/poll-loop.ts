import { isEndState } from '@changgu/contract';
import { ApiError } from '../errors/api-error.ts';
import { ChangguError } from '../errors/changgu-error.ts';
import type { Clock } from '../request/clock.ts';
import type { Logger } from '../request/http.ts';
import { backoffDelay, hintedDelay } from '../request/retries/backoff.ts';
import { mayRepeat } from '../request/retries/retry-policy.ts';
import { sleep } from '../request/sleep.ts';
import type { Job } from './job.ts';
import { isNews } from './job-news.ts';
import { delayAfterReading } from './poll-delay.ts';

/** One read: the job, and whether the service waited for a change. */
export interface PollReading {
  readonly job: Job;
  readonly waited: boolean;
  readonly traceId: string | null;
}

/** Reads the job once, letting the service wait for a change if it can; 0 does not ask it to. */
type ReadJob = (waitSeconds: number, signal: AbortSignal) => Promise<PollReading>;

/** A waiter. Exactly one of `ended` and `failed` is called, once, and neither after leaving. */
export interface Waiter {
  updated(job: Job): void;
  ended(job: Job): void;
  failed(error: unknown): void;
}

export interface PollLoopOptions {
  readonly read: ReadJob;
  /** Aborts at the next change, if a stream of events is open that tells of it; else null. */
  readonly nextChange: () => AbortSignal | null;
  /** No one waits for that change any longer. */
  readonly forgetChange: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger | undefined;
  readonly maxRetryAfterMs: number;
  /** When the job was submitted here. A 404 shortly afterwards means that the service lags behind. */
  readonly submittedAt: number | null;
}

/** Longest wait to ask of the service (it allows 30 s, and gateways tend to cut at 30). */
const WAIT_SECONDS = 25;
const NOT_FOUND_GRACE_MS = 5_000;
/** This long with nothing but failures ends the wait, even if the waiter set no limit. */
const FAILING_LIMIT_MS = 5 * 60_000;

/** One loop per handle, shared by all waiters; it runs only while there are any. */
export class PollLoop {
  readonly #options: PollLoopOptions;
  readonly #waiters = new Set<Waiter>();
  #running: AbortController | null = null;
  #latest: Job | null = null;
  #readings = 0;
  #traceId: string | null = null;
  #failure: ChangguError | undefined;

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  /** The last reading, if there was one. */
  get latest(): Job | null {
    return this.#latest;
  }

  /** What the errors of a wait report about the reads made for it. */
  get facts(): { readonly attempts: number; readonly traceId: string | null } {
    return { attempts: this.#readings, traceId: this.#traceId };
  }

  /** Why the last read failed, if it did. */
  get failure(): ChangguError | undefined {
    return this.#failure;
  }

  /** Joins the wait. Call the result to leave; when the last waiter leaves, the loop stops at once. */
  join(waiter: Waiter): () => void {
    this.#waiters.add(waiter);
    if (!this.#running) {
      this.#running = new AbortController();
      void this.#run(this.#running.signal);
    }
    return () => {
      this.#waiters.delete(waiter);
      if (this.#waiters.size === 0) this.#stop();
    };
  }

  /** A state read elsewhere counts as news too. */
  observe(job: Job): void {
    this.#latest = job;
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      const job = await this.#poll(signal);
      if (!signal.aborted) this.#finish((waiter) => waiter.ended(job));
    } catch (error) {
      if (!signal.aborted) this.#finish((waiter) => waiter.failed(error));
    } finally {
      this.#options.forgetChange();
    }
  }

  #finish(tell: (waiter: Waiter) => void): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    this.#running = null;
    waiters.forEach(tell);
  }

  /** Polls until the job has ended. */
  async #poll(signal: AbortSignal): Promise<Job> {
    const { clock, random } = this.#options;
    let failures = 0;
    let failingSince = 0;
    this.#failure = undefined;
    for (;;) {
      const start = clock.now();
      // Before the read, so that a change after it is not missed.
      let change = this.#options.nextChange();
      let delayMs: number;
      try {
        this.#readings += 1;
        const { job, waited, traceId } = await this.#options.read(
          change ? 0 : WAIT_SECONDS,
          signal,
        );
        this.#traceId = traceId;
        failures = 0;
        this.#failure = undefined;
        const changed = isNews(this.#latest, job);
        this.#publish(job, signal);
        if (isEndState(job.status)) return job;
        const waitMs = WAIT_SECONDS * 1000;
        const tookMs = clock.now() - start;
        const reading = { hintSeconds: job.retryAfterSeconds, waited, changed, tookMs, waitMs };
        delayMs = change ? waitMs : delayAfterReading(reading, random);
      } catch (error) {
        // What an abandoned read ended with is not news of the job.
        if (signal.aborted || !(error instanceof ChangguError)) throw error;
        this.#traceId = error.traceId;
        this.#failure = error;
        change = null;
        failures += 1;
        if (failures === 1) failingSince = start;
        if (!this.#isTolerable(error, failingSince)) throw error;
        delayMs = this.#delayAfter(error, failures);
      }
      const woken = change ? AbortSignal.any([signal, change]) : signal;
      await sleep(clock, delayMs, woken).catch(() => signal.throwIfAborted());
    }
  }

  #publish(job: Job, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#latest = job;
    for (const waiter of this.#waiters) waiter.updated(job);
  }

  /** Whether to keep polling after a failed read: the job does not end because a poll did. */
  #isTolerable(error: ChangguError, failingSince: number): boolean {
    const { clock, maxRetryAfterMs, submittedAt } = this.#options;
    if (clock.now() - failingSince > FAILING_LIMIT_MS) return false;
    if (error instanceof ApiError && error.status === 404 && submittedAt !== null) {
      return clock.now() - submittedAt < NOT_FOUND_GRACE_MS;
    }
    if (error instanceof ApiError && (error.retryAfterMs ?? 0) > maxRetryAfterMs) return false;
    return mayRepeat(error, 'read');
  }

  #delayAfter(error: unknown, failures: number): number {
    const { random } = this.#options;
    const hint = error instanceof ApiError ? error.retryAfterMs : null;
    // At least a tenth of a second: full jitter can be zero, which would be a busy loop.
    return hint === null
      ? 100 + backoffDelay(failures, random)
      : Math.max(100, hintedDelay(hint, random));
  }
}
