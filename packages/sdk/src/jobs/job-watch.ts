import { isEndState } from '@changgu/contract';
import { checkOptions } from '../check-options.ts';
import type { RequestOptions } from '../client-options.ts';
import { JobCanceledError, JobFailedError, WaitTimeoutError } from '../errors/job-errors.ts';
import { AbortedError } from '../errors/transport-errors.ts';
import { withFacts } from '../errors/with-facts.ts';
import type { JobChanges } from '../events/job-changes.ts';
import { notify } from '../request/notify.ts';
import { untilAborted } from '../request/until-aborted.ts';
import { jobEvents } from './events.ts';
import type { WaitOptions } from './handle.ts';
import type { HandleFacts } from './handle-facts.ts';
import type { Job, JobResult, JobStatus } from './job.ts';
import type { JobsApi } from './jobs-api.ts';
import { PollLoop } from './poll-loop.ts';
import type { ResumeToken } from './resume-token.ts';

/** What a handle does: reads its job, and waits for it. */
export class JobWatch {
  readonly #api: JobsApi;
  readonly #job: HandleFacts;
  readonly #token: () => ResumeToken;
  readonly #loop: PollLoop;

  constructor(api: JobsApi, job: HandleFacts, token: () => ResumeToken, changes: JobChanges) {
    this.#api = api;
    this.#job = job;
    this.#token = token;
    this.#loop = new PollLoop({
      ...api.pollSettings(),
      submittedAt: job.submittedAtLocal,
      read: (waitSeconds, signal) => api.readForPoll(job.id, waitSeconds, signal),
      nextChange: () => changes.next(job.id),
      // Others who wait for the same job ask the service once more.
      forgetChange: () => changes.tell(job.id),
    });
  }

  /** The last state read; null for a resumed id that was not read yet. */
  get status(): JobStatus | null {
    return this.#loop.latest?.status ?? this.#job.status;
  }

  poll(options: RequestOptions): Promise<Job> {
    return this.#observed(this.#api.get(this.#job.id, options));
  }

  cancel(options: RequestOptions): Promise<Job> {
    return this.#observed(this.#api.cancel(this.#job.id, options));
  }

  async wait(options: WaitOptions): Promise<Job> {
    checkOptions(options);
    const { signal, cancelOnAbort } = options;
    const known = this.#loop.latest;
    try {
      if (signal?.aborted) throw new AbortedError(signal.reason);
      return known && isEndState(known.status) ? known : await this.#join(options);
    } catch (error) {
      if (cancelOnAbort && error instanceof AbortedError)
        this.#api.cancelInBackground(this.#job.id);
      throw this.#withFacts(error);
    }
  }

  /** @param startedAt when the call began, to which `timeoutMs` belongs */
  async result<A extends string>(
    options: WaitOptions & RequestOptions,
    startedAt: number,
  ): Promise<JobResult<A>> {
    if (this.status !== 'SUCCEEDED') {
      const job = await this.wait(options);
      if (job.status === 'CANCELED') throw this.#withFacts(new JobCanceledError(job));
      if (job.status !== 'SUCCEEDED') {
        this.#api.noteFailure(job.error);
        throw this.#withFacts(new JobFailedError(job));
      }
    }
    const within = this.#api.within(options, startedAt);
    return this.#known(this.#api.result<A>(this.#job.id, within));
  }

  events(signal: AbortSignal | undefined, left: AbortSignal): AsyncGenerator<Job, void, void> {
    return jobEvents(this.#loop, signal, left, (error) => this.#withFacts(error));
  }

  async #observed(call: Promise<Job>): Promise<Job> {
    const job = await this.#known(call);
    this.#loop.observe(job);
    return job;
  }

  async #join({ signal, timeoutMs, onProgress }: WaitOptions): Promise<Job> {
    const { clock, logger } = this.#api.pollSettings();
    const observed: Record<string, number> = {};
    let leave = () => {};
    let timer: unknown;
    const end = new Promise<Job>((ended, failed) => {
      const updated = (job: Job) => {
        observed[job.status] = (observed[job.status] ?? 0) + 1;
        notify('onProgress', onProgress, job, logger);
      };
      leave = this.#loop.join({ updated, ended, failed });
      if (timeoutMs === undefined) return;
      timer = clock.setTimeout(() => {
        failed(new WaitTimeoutError(this.#token(), timeoutMs, observed, this.#loop.failure));
      }, timeoutMs);
    });
    try {
      return await untilAborted(end, signal);
    } finally {
      leave();
      clock.clearTimeout(timer);
    }
  }

  /** Its calls' errors contain what the handle knows. */
  #known<T>(call: Promise<T>): Promise<T> {
    return call.catch((error: unknown) => {
      throw this.#withFacts(error);
    });
  }

  #withFacts<E>(error: E): E {
    const { id: jobId, idempotencyKey } = this.#job;
    return withFacts(error, {
      operation: 'readJob',
      jobId,
      idempotencyKey,
      ...this.#loop.facts,
    });
  }
}
