import type { Caller, OperationInput, OperationOutput } from '../caller.ts';
import { checkOptions } from '../check-options.ts';
import type { RequestOptions } from '../client-options.ts';
import type { AccountActionId, ActionId } from '../jobs/action-types.ts';
import {
  type AllAccountsCheckpoint,
  firstCheckpoint,
  readCheckpoint,
} from '../jobs/all-accounts/checkpoint.ts';
import type { AllAccountsDriver, AllAccountsStart } from '../jobs/all-accounts/driver.ts';
import type { AccountOutcomes, AllAccountsOptions } from '../jobs/all-accounts/outcomes.ts';
import type {
  AllAccountsRequest,
  AllAccountsRound,
  RoundsOptions,
} from '../jobs/all-accounts/rounds.ts';
import type { AllAccountsStep, AllAccountsStepsOptions } from '../jobs/all-accounts/steps.ts';
import { JobHandle, type WaitOptions } from '../jobs/handle.ts';
import type { HandleFacts } from '../jobs/handle-facts.ts';
import type { Job, JobPage, JobResult, JobTimeline, JobValidation } from '../jobs/job.ts';
import { leavable } from '../jobs/leavable.ts';
import type { PreparedSubmission } from '../jobs/prepared.ts';
import { isJobId, type ResumeToken, readResumeToken } from '../jobs/resume-token.ts';
import type { SubmitRequest } from '../jobs/submit-request.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';
import type { Sending } from '../sending.ts';

export type JobListQuery = NonNullable<OperationInput<'listJobs'>['query']>;

export type AllAccountsRunQuery = NonNullable<OperationInput<'listAllAccountsRuns'>['query']>;
export type AllAccountsLineQuery = NonNullable<OperationInput<'listAllAccountsLines'>['query']>;
export type AllAccountsRun = OperationOutput<'listAllAccountsRuns'>['items'][number];
export type AllAccountsLine = OperationOutput<'listAllAccountsLines'>['items'][number];

/** Submit, wait, read. */
export class Jobs {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Submits the result of `prepare`. */
  submit<A extends ActionId>(
    prepared: PreparedSubmission<A>,
    options?: RequestOptions,
  ): Reply<JobHandle<A>>;
  /**
   * Submits one institution call. It creates a single job however many attempts it takes, because key and bytes are
   * fixed before the first. The handle and every error carry the key. A key of your own, used again, finds its job; if
   * that one failed and `hadEffect` is `no`, the call runs again, and the handle carries the key of the new run. A
   * canceled job stays canceled.
   * @throws IdempotencyConflictError, ValidationError, PermissionError, RateLimitError, ConnectionError, …
   */
  submit<const A extends ActionId>(
    request: SubmitRequest<A>,
    options?: RequestOptions,
  ): Reply<JobHandle<A>>;
  submit<A extends ActionId>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options?: RequestOptions,
  ): Reply<JobHandle<A>> {
    return this.#caller.reply(options, (sending, noted) => this.#submit(sending, request, noted));
  }

  /**
   * Submits the result of `prepare` as a repeated call: as `submit` does, unless its job failed and `hadEffect` is `no`.
   * Then it runs again under a key that follows from its own, so that everyone who repeats it finds the same job.
   */
  submitAgain<A extends ActionId>(
    prepared: PreparedSubmission<A>,
    options?: RequestOptions,
  ): Reply<JobHandle<A>> {
    return this.#caller.reply(options, async ({ sender, submissions }, noted) =>
      this.#handle<A>(await submissions.submitAgain(prepared, sender.timed(noted))),
    );
  }

  /**
   * Prepares a submission completely without sending it. Store it, then pass it to `submit`. It has no answer of its
   * own, so the promise is a plain one without `withResponse`. The options limit the request for the key that encrypts.
   */
  async prepare<const A extends ActionId>(
    request: SubmitRequest<A>,
    options: RequestOptions = {},
  ): Promise<PreparedSubmission<A>> {
    return (await this.#caller.sending()).submissions.prepare<A>(request, options);
  }

  /** Checks the result of `prepare`. */
  validate<A extends ActionId>(
    prepared: PreparedSubmission<A>,
    options?: RequestOptions,
  ): Reply<JobValidation>;
  /**
   * Runs all checks of a submission without submitting anything.
   * @see docs/specification/submission.md#d19
   */
  validate<const A extends ActionId>(
    request: SubmitRequest<A>,
    options?: RequestOptions,
  ): Reply<JobValidation>;
  validate<A extends ActionId>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options?: RequestOptions,
  ): Reply<JobValidation> {
    return this.#caller.reply(options, ({ sender, submissions }, noted) =>
      submissions.validate<A>(request, sender.timed(noted)),
    );
  }

  /** Submits the result of `prepare` and waits for the result. */
  run<A extends ActionId>(
    prepared: PreparedSubmission<A>,
    options?: WaitOptions & RequestOptions,
  ): Reply<JobResult<A>>;
  /**
   * Submits and waits for the result; `timeoutMs` limits everything from the first request to the last.
   * @throws what `submit` and the handle's `result` throw
   */
  run<const A extends ActionId>(
    request: SubmitRequest<A>,
    options?: WaitOptions & RequestOptions,
  ): Reply<JobResult<A>>;
  run<A extends ActionId>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options: WaitOptions & RequestOptions = {},
  ): Reply<JobResult<A>> {
    const startedAt = this.#caller.clock.now();
    return this.#caller.reply<JobResult<A>>(options, async (sending, noted) => {
      const within = () => sending.api.within(noted, startedAt);
      const job = await this.#submit<A>(sending, request, within());
      return job.result(within());
    });
  }

  /** Reads a job once. @throws NotFoundError JOB_NOT_FOUND */
  get(jobId: string, options?: RequestOptions): Reply<Job> {
    return this.#caller.reply(options, ({ api }, noted) => api.get(jobId, noted));
  }

  /** One page of jobs, newest first. */
  list(query: JobListQuery = {}, options?: RequestOptions): Reply<JobPage> {
    return this.#caller.call('listJobs', { query }, options);
  }

  /** All jobs, newest first, page by page. */
  each(query: JobListQuery = {}, options?: RequestOptions): AsyncGenerator<Job, void, void> {
    return eachItem((place) => this.list({ ...query, ...place }, options));
  }

  /** Asks the service to cancel a job. @throws ConflictError JOB_ALREADY_FINISHED, JOB_NOT_CANCELABLE */
  cancel(jobId: string, options?: RequestOptions): Reply<Job> {
    return this.#caller.reply(options, ({ api }, noted) => api.cancel(jobId, noted));
  }

  /** Reads the result of a succeeded job. @throws ConflictError JOB_NOT_SUCCEEDED in any other state */
  result<A extends ActionId = string>(
    jobId: string,
    options?: RequestOptions,
  ): Reply<JobResult<A>> {
    return this.#caller.reply(options, ({ api }, noted) => api.result<A>(jobId, noted));
  }

  /** What happened to a job, step by step (addition). */
  timeline(jobId: string, options?: RequestOptions): Reply<JobTimeline> {
    return this.#caller.call('readJobTimeline', { path: { jobId } }, options);
  }

  /** What a job was submitted with, without encrypted values (addition). */
  request(jobId: string, options?: RequestOptions): Reply<OperationOutput<'readJobRequest'>> {
    return this.#caller.call('readJobRequest', { path: { jobId } }, options);
  }

  /** Numbers of jobs and tokens by day, action and state (addition). */
  summary(
    query: NonNullable<OperationInput<'summarizeJobs'>['query']> = {},
    options?: RequestOptions,
  ): Reply<OperationOutput<'summarizeJobs'>> {
    return this.#caller.call('summarizeJobs', { query }, options);
  }

  /** One page of all-accounts calls with their progress, newest first (addition). */
  listAllAccountsRuns(
    query: AllAccountsRunQuery = {},
    options?: RequestOptions,
  ): Reply<OperationOutput<'listAllAccountsRuns'>> {
    return this.#caller.call('listAllAccountsRuns', { query }, options);
  }

  /** All of them, newest first, page by page (addition). */
  eachAllAccountsRun(
    query: AllAccountsRunQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<AllAccountsRun, void, void> {
    return eachItem((place) => this.listAllAccountsRuns({ ...query, ...place }, options));
  }

  /** One page of the accounts of an all-accounts call, by its Idempotency-Key (addition). */
  listAllAccountsLines(
    query: AllAccountsLineQuery,
    options?: RequestOptions,
  ): Reply<OperationOutput<'listAllAccountsLines'>> {
    return this.#caller.call('listAllAccountsLines', { query }, options);
  }

  /** All accounts of an all-accounts call, page by page (addition). */
  eachAllAccountsLine(
    query: AllAccountsLineQuery,
    options?: RequestOptions,
  ): AsyncGenerator<AllAccountsLine, void, void> {
    return eachItem((place) => this.listAllAccountsLines({ ...query, ...place }, options));
  }

  /** Deletes the files of a job. Repeating it answers 0. */
  deleteArtifacts(
    jobId: string,
    options?: RequestOptions,
  ): Reply<OperationOutput<'deleteJobArtifacts'>> {
    return this.#caller.call('deleteJobArtifacts', { path: { jobId } }, options);
  }

  /**
   * A handle for a job of another process or an earlier run.
   * @param token the output of `JSON.stringify(handle)`, as text or parsed, or a job id
   * @throws TokenError for anything else, and for another service, environment or version
   */
  resume<A extends ActionId = string>(token: ResumeToken | string): JobHandle<A> {
    const stored = isJobId(token) ? null : readResumeToken(token, this.#caller);
    return this.#handle<A>({
      id: isJobId(token) ? token : (stored?.jobId ?? ''),
      action: stored?.action ?? null,
      idempotencyKey: stored?.idempotencyKey ?? null,
      submittedAt: stored?.submittedAt ?? null,
      status: stored?.lastStatus ?? null,
      replayed: false,
      submittedAtLocal: null,
    });
  }

  /**
   * Runs one action for many bank accounts: sends all rounds and yields each account when its job has ended.
   * Takes a checkpoint to resume after a crash: no account is lost, and none is queried twice.
   * @throws AllAccountsInterruptedError, AllAccountsTimeoutError, or a refused round's error, after the accounts that were
   *   submitted; AbortedError at once. `error.checkpoint` says where to resume.
   */
  allAccounts<const A extends AccountActionId>(
    request: AllAccountsRequest<A> | AllAccountsCheckpoint,
    options: AllAccountsOptions = {},
  ): AccountOutcomes<A> {
    const start = this.#start<A>(request, options);
    let driver: AllAccountsDriver<A> | null = null;
    const outcomes = leavable(async (left) => {
      driver = (await this.#caller.sending()).allAccounts(start);
      return driver.outcomes(left);
    });
    const checkpoint = { get: () => driver?.checkpoint ?? start.checkpoint };
    // The generator with the additional property of its type.
    return Object.defineProperty(outcomes, 'checkpoint', checkpoint) as AccountOutcomes<A>;
  }

  /**
   * `allAccounts` step by step, for programs that show rounds and stops themselves: each answered round,
   * each account, and finally why the call ended.
   * @throws AbortedError as soon as `signal` aborts, and what `onCheckpoint` throws
   */
  allAccountsSteps<const A extends AccountActionId>(
    request: AllAccountsRequest<A> | AllAccountsCheckpoint,
    options: AllAccountsStepsOptions = {},
  ): AsyncGenerator<AllAccountsStep<A>, void, void> {
    const start = this.#start<A>(request, options);
    return leavable(async (left) => (await this.#caller.sending()).allAccounts(start).run(left));
  }

  /** The answered rounds of an all-accounts call, each sent at its time. Does not wait for jobs. */
  allAccountsRounds<const A extends AccountActionId>(
    request: AllAccountsRequest<A> | AllAccountsCheckpoint,
    options: RoundsOptions = {},
  ): AsyncGenerator<AllAccountsRound, void, void> {
    const start = this.#checkpoint(request);
    return leavable(async (left) =>
      (await this.#caller.sending()).allAccountsRounds(start, options, left),
    );
  }

  async #submit<A extends ActionId>(
    { sender, submissions }: Sending,
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options: RequestOptions,
  ): Promise<JobHandle<A>> {
    return this.#handle<A>(await submissions.submit<A>(request, sender.timed(options)));
  }

  #handle<A extends string>(facts: HandleFacts): JobHandle<A> {
    return new JobHandle<A>(this.#caller, facts);
  }

  /** Checked now; what drives the call is loaded when it is first read. */
  #start<A extends AccountActionId>(
    request: AllAccountsRequest<A> | AllAccountsCheckpoint,
    options: AllAccountsStepsOptions,
  ): AllAccountsStart<A> {
    checkOptions(options);
    const checkpoint = this.#checkpoint(request);
    const startedAt = this.#caller.clock.now();
    return { checkpoint, options, startedAt, handle: (facts) => this.#handle<A>(facts) };
  }

  #checkpoint(request: AllAccountsRequest | AllAccountsCheckpoint): AllAccountsCheckpoint {
    return 'kind' in request
      ? readCheckpoint(request, this.#caller)
      : firstCheckpoint(request, this.#caller);
  }
}
