import { isEndState } from '@changgu/contract';
import { checkOptions } from '../check-options.ts';
import type { RequestOptions } from '../client-options.ts';
import { type CallFacts, withFacts } from '../errors/changgu-error.ts';
import { JobCanceledError, JobFailedError, WaitTimeoutError } from '../errors/job-errors.ts';
import { AbortedError } from '../errors/transport-errors.ts';
import { notify } from '../request/notify.ts';
import { type Reply, reply } from '../request/reply.ts';
import { jobEvents } from './events.ts';
import type { HandleFacts } from './handle-facts.ts';
import type { Job, JobResult, JobStatus } from './job.ts';
import type { JobsApi } from './jobs-api.ts';
import { leavable } from './leavable.ts';
import { PollLoop } from './poll-loop.ts';
import type { ResumeToken } from './resume-token.ts';

export interface WaitOptions {
  /** Ends the wait at once. The job continues unless `cancelOnAbort` is set. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, including reading a result. @default no limit */
  readonly timeoutMs?: number | undefined;
  /** Called with every state read. What it throws or rejects with is logged and does not end the wait. */
  readonly onProgress?: ((job: Job) => unknown) | undefined;
  /** Asks the service to cancel the job when `signal` aborts. @default false */
  readonly cancelOnAbort?: boolean | undefined;
}

/**
 * A submitted job. Deliberately not a promise: returning it from an async function must not wait for the job.
 * `JSON.stringify` produces what `client.jobs.resume` accepts in another process.
 */
export class JobHandle<A extends string = string> {
  readonly id: string;
  readonly action: A | null;
  readonly idempotencyKey: string | null;
  readonly submittedAt: string | null;
  readonly replayed: boolean;
  readonly #api: JobsApi;
  readonly #loop: PollLoop;
  #status: JobStatus | null;

  constructor(api: JobsApi, facts: HandleFacts) {
    this.id = facts.id;
    // The caller names the action that it submitted; the service checked it.
    this.action = facts.action as A | null;
    this.idempotencyKey = facts.idempotencyKey;
    this.submittedAt = facts.submittedAt;
    this.replayed = facts.replayed;
    this.#status = facts.status;
    this.#api = api;
    this.#loop = new PollLoop({
      ...api.pollSettings(),
      submittedAt: facts.submittedAtLocal,
      read: (waitSeconds, signal) => api.readForPoll(facts.id, waitSeconds, signal),
      nextChange: () => api.changes.next(facts.id),
    });
  }

  /** The last state read; null for a resumed id that was not read yet. */
  get status(): JobStatus | null {
    return this.#loop.latest?.status ?? this.#status;
  }

  /** Reads the job once, now. */
  poll(options?: RequestOptions): Reply<Job> {
    return reply(options, async (noted) => {
      const job = await this.#known(this.#api.get(this.id, noted));
      this.#loop.observe(job);
      return job;
    });
  }

  /**
   * Waits until the job has ended, in whatever state, and returns that state.
   * All waiters of one handle share a poll loop; aborting one does not affect the others.
   * @throws WaitTimeoutError after `timeoutMs`; AbortedError when `signal` aborts
   */
  async wait(options: WaitOptions = {}): Promise<Job> {
    checkOptions(options);
    const known = this.#loop.latest;
    if (options.signal?.aborted) throw this.#aborted(options);
    if (known && isEndState(known.status)) return known;
    return new Promise((resolve, reject) => this.#join(options, resolve, reject));
  }

  /**
   * Waits for the end and returns the result, with new download URLs on every call. The request options apply to
   * reading the result; the polls before it use the client's own.
   * @throws JobFailedError, JobCanceledError by the end state; and what `wait` throws
   */
  result(options: WaitOptions & Omit<RequestOptions, 'signal'> = {}): Reply<JobResult<A>> {
    return reply(options, (noted) => this.#result(noted));
  }

  async #result(options: WaitOptions & RequestOptions): Promise<JobResult<A>> {
    const startedAt = this.#api.pollSettings().clock.now();
    if (this.status !== 'SUCCEEDED') {
      const job = await this.wait(options);
      if (job.status === 'CANCELED') throw withFacts(new JobCanceledError(job), this.#facts());
      if (job.status !== 'SUCCEEDED') {
        this.#api.noteFailure(job.error);
        throw withFacts(new JobFailedError(job), this.#facts());
      }
    }
    return this.#known(this.#api.result<A>(this.id, this.#api.within(options, startedAt)));
  }

  /** Every change of the job until it has ended, including the end. Leaving the loop stops the polling. */
  events(options: Pick<WaitOptions, 'signal'> = {}): AsyncGenerator<Job, void, void> {
    const note = (error: unknown) => this.#withFacts(error);
    return leavable((left) => jobEvents(this.#loop, options.signal, left, note));
  }

  /**
   * Asks the service to cancel the job. A running job ends a little later, or still succeeds.
   * @throws ConflictError JOB_ALREADY_FINISHED or JOB_NOT_CANCELABLE
   */
  cancel(options?: RequestOptions): Reply<Job> {
    return reply(options, async (noted) => {
      const job = await this.#known(this.#api.cancel(this.id, noted));
      this.#loop.observe(job);
      return job;
    });
  }

  toJSON(): ResumeToken {
    const { id: jobId, action, idempotencyKey, submittedAt, status: lastStatus } = this;
    const { baseUrl: origin, envScope } = this.#api.home;
    return {
      v: 1,
      kind: 'job',
      origin,
      envScope,
      jobId,
      action,
      idempotencyKey,
      submittedAt,
      lastStatus,
    };
  }

  #join(
    { signal, timeoutMs, onProgress, cancelOnAbort }: WaitOptions,
    resolve: (job: Job) => void,
    reject: (error: unknown) => void,
  ): void {
    const { clock, logger } = this.#api.pollSettings();
    const observed: Record<string, number> = {};
    const settle = (finish: () => void) => {
      leave();
      signal?.removeEventListener('abort', onAbort);
      clock.clearTimeout(timer);
      finish();
    };
    const onAbort = () => {
      settle(() => reject(this.#aborted({ signal, cancelOnAbort })));
    };
    const leave = this.#loop.join({
      updated: (job) => {
        observed[job.status] = (observed[job.status] ?? 0) + 1;
        notify('onProgress', onProgress, job, logger);
      },
      ended: (job) => settle(() => resolve(job)),
      failed: (error) => settle(() => reject(this.#withFacts(error))),
    });
    const timer =
      timeoutMs === undefined
        ? undefined
        : clock.setTimeout(() => {
            const error = new WaitTimeoutError(this.toJSON(), timeoutMs, observed);
            settle(() => reject(withFacts(error, this.#facts())));
          }, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  }

  #aborted({ signal, cancelOnAbort }: WaitOptions): AbortedError {
    if (cancelOnAbort) this.#api.cancelInBackground(this.id);
    return withFacts(new AbortedError(signal?.reason), this.#facts());
  }

  /** Its calls' errors contain what the handle knows. */
  async #known<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw this.#withFacts(error);
    }
  }

  #withFacts(error: unknown): unknown {
    return withFacts(error, this.#facts());
  }

  #facts(): Partial<CallFacts> {
    const { id: jobId, idempotencyKey } = this;
    return { operation: 'readJob', jobId, idempotencyKey, ...this.#loop.facts };
  }
}
