import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';
import type { Sending } from '../sending.ts';
import type { HandleFacts } from './handle-facts.ts';
import type { Job, JobResult, JobStatus } from './job.ts';
import type { JobWatch } from './job-watch.ts';
import { leavable } from './leavable.ts';
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
  readonly #caller: Caller;
  readonly #facts: HandleFacts;
  #watch: JobWatch | null = null;

  constructor(caller: Caller, facts: HandleFacts) {
    this.id = facts.id;
    // The caller names the action that it submitted; the service checked it.
    this.action = facts.action as A | null;
    this.idempotencyKey = facts.idempotencyKey;
    this.submittedAt = facts.submittedAt;
    this.replayed = facts.replayed;
    this.#facts = facts;
    this.#caller = caller;
  }

  /** The last state read; null for a resumed id that was not read yet. */
  get status(): JobStatus | null {
    return (this.#watch ?? this.#facts).status;
  }

  /** Reads the job once, now. */
  poll(options?: RequestOptions): Reply<Job> {
    return this.#caller.reply(options, (sending, noted) => this.#with(sending).poll(noted));
  }

  /**
   * Waits until the job has ended, in whatever state, and returns that state.
   * All waiters of one handle share a poll loop; aborting one does not affect the others.
   * @throws WaitTimeoutError after `timeoutMs`; AbortedError when `signal` aborts
   */
  async wait(options: WaitOptions = {}): Promise<Job> {
    return this.#with(await this.#caller.sending()).wait(options);
  }

  /**
   * Waits for the end and returns the result, with new download URLs on every call. The request options apply to
   * reading the result; the polls before it use the client's own.
   * @throws JobFailedError, JobCanceledError by the end state; and what `wait` throws
   */
  result(options: WaitOptions & Omit<RequestOptions, 'signal'> = {}): Reply<JobResult<A>> {
    const startedAt = this.#caller.clock.now();
    return this.#caller.reply(options, (sending, noted) =>
      this.#with(sending).result<A>(noted, startedAt),
    );
  }

  /** Every change of the job until it has ended, including the end. Leaving the loop stops the polling. */
  events({ signal }: Pick<WaitOptions, 'signal'> = {}): AsyncGenerator<Job, void, void> {
    return leavable(async (left) => this.#with(await this.#caller.sending()).events(signal, left));
  }

  /**
   * Asks the service to cancel the job. A running job ends a little later, or still succeeds.
   * @throws ConflictError JOB_ALREADY_FINISHED or JOB_NOT_CANCELABLE
   */
  cancel(options?: RequestOptions): Reply<Job> {
    return this.#caller.reply(options, (sending, noted) => this.#with(sending).cancel(noted));
  }

  toJSON(): ResumeToken {
    const { id: jobId, action, idempotencyKey, submittedAt, status: lastStatus } = this;
    const { baseUrl: origin, envScope } = this.#caller;
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

  #with(sending: Sending): JobWatch {
    this.#watch ??= sending.watch(this.#facts, () => this.toJSON());
    return this.#watch;
  }
}
