import type { Caller, OperationInput, OperationOutput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { withFacts } from '../errors/changgu-error.ts';
import type { AccountActionId, ActionId } from '../jobs/action-types.ts';
import { type AllAccountsCheckpoint, readCheckpoint } from '../jobs/all-accounts/checkpoint.ts';
import { AllAccountsDriver } from '../jobs/all-accounts/driver.ts';
import {
  type AccountOutcomes,
  type AllAccountsOptions,
  outcomesOf,
} from '../jobs/all-accounts/outcomes.ts';
import {
  type AllAccountsRequest,
  type AllAccountsRound,
  firstCheckpoint,
  type RoundsOptions,
  sendRounds,
} from '../jobs/all-accounts/rounds.ts';
import type { AllAccountsStep, AllAccountsStepsOptions } from '../jobs/all-accounts/steps.ts';
import { JobHandle, type WaitOptions } from '../jobs/handle.ts';
import type { Job, JobPage, JobResult, JobTimeline, JobValidation } from '../jobs/job.ts';
import type { JobsApi } from '../jobs/jobs-api.ts';
import { leavable } from '../jobs/leavable.ts';
import {
  checkKey,
  type EncryptSecrets,
  isPrepared,
  type PreparedSubmission,
  prepareSubmission,
  readPrepared,
} from '../jobs/prepared.ts';
import { isJobId, type ResumeToken, readResumeToken } from '../jobs/resume-token.ts';
import { SentSubmissions } from '../jobs/sent-submissions.ts';
import type { SubmitRequest } from '../jobs/submit-request.ts';
import { eachItem } from '../paging.ts';
import { type Reply, reply } from '../request/reply.ts';
import { untilAborted } from '../request/until-aborted.ts';
import { camelize } from '../wire-case.ts';

export type JobListQuery = NonNullable<OperationInput<'listJobs'>['query']>;

export type AllAccountsRunQuery = NonNullable<OperationInput<'listAllAccountsRuns'>['query']>;
export type AllAccountsLineQuery = NonNullable<OperationInput<'listAllAccountsLines'>['query']>;
export type AllAccountsRun = OperationOutput<'listAllAccountsRuns'>['items'][number];
export type AllAccountsLine = OperationOutput<'listAllAccountsLines'>['items'][number];

/** Submit, wait, read. */
export class Jobs {
  readonly #caller: Caller;
  readonly #api: JobsApi;
  readonly #encrypt: EncryptSecrets;
  readonly #sent = new SentSubmissions();

  constructor(caller: Caller, api: JobsApi, encrypt: EncryptSecrets) {
    this.#caller = caller;
    this.#api = api;
    this.#encrypt = encrypt;
  }

  /** Submits the result of `prepare`. */
  submit<A extends ActionId>(
    prepared: PreparedSubmission<A>,
    options?: RequestOptions,
  ): Reply<JobHandle<A>>;
  /**
   * Submits one institution call. It creates a single job however many attempts it takes, because key and bytes are
   * fixed before the first. The handle and every error carry the key. A key of your own, used again, finds its job; if
   * that one failed and `hadEffect` is `no`, the call runs again, and the handle carries the key of the new run.
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
    return reply(options, (noted) => this.#submit<A>(request, noted));
  }

  async #submit<A extends ActionId>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options?: RequestOptions,
  ): Promise<JobHandle<A>> {
    const prepared = await this.#ready<A>(request, options?.signal);
    const isRepeatable = !isPrepared(request) && request.idempotencyKey !== undefined;
    const facts = isRepeatable
      ? await this.#api.submitAgain(prepared, options)
      : await this.#api.submit(prepared, options);
    return new JobHandle<A>(this.#api, facts);
  }

  /**
   * Submits the result of `prepare` as a repeated call: as `submit` does, unless its job failed and `hadEffect` is `no`.
   * Then it runs again under a key that follows from its own, so that everyone who repeats it finds the same job.
   */
  submitAgain<A extends ActionId>(
    prepared: PreparedSubmission<A>,
    options?: RequestOptions,
  ): Reply<JobHandle<A>> {
    return reply(options, async (noted) => {
      readPrepared(prepared, this.#api.home);
      return new JobHandle<A>(this.#api, await this.#api.submitAgain(prepared, noted));
    });
  }

  /**
   * Prepares a submission completely without sending it. Store it, then pass it to `submit`. It has no answer of its
   * own, so the promise is a plain one without `withResponse`.
   */
  prepare<const A extends ActionId>(request: SubmitRequest<A>): Promise<PreparedSubmission<A>> {
    return prepareSubmission<A>(request, this.#api.home, this.#encrypt);
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
    return reply(options, async (noted) => {
      const prepared = await this.#ready<A>(request, options?.signal);
      const answer = await this.#api.validate(prepared, noted);
      // The service's answer to `Prefer: validate-only`.
      return camelize(answer.body) as JobValidation;
    });
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
    const startedAt = this.#api.pollSettings().clock.now();
    return reply<JobResult<A>>(options, async (noted) => {
      const job = await this.#submit<A>(request, this.#api.within(noted, startedAt));
      return job.result(this.#api.within(noted, startedAt));
    });
  }

  /** Reads a job once. @throws NotFoundError JOB_NOT_FOUND */
  get(jobId: string, options?: RequestOptions): Reply<Job> {
    return this.#api.get(jobId, options);
  }

  /** One page of jobs, newest first. */
  list(query: JobListQuery = {}, options?: RequestOptions): Reply<JobPage> {
    return this.#caller.call('listJobs', { query }, options);
  }

  /** All jobs, newest first, page by page. */
  each(query: JobListQuery = {}, options?: RequestOptions): AsyncGenerator<Job, void, void> {
    return eachItem((cursor) =>
      this.list({ ...query, ...(cursor === null ? {} : { cursor }) }, options),
    );
  }

  /** Asks the service to cancel a job. @throws ConflictError JOB_ALREADY_FINISHED, JOB_NOT_CANCELABLE */
  cancel(jobId: string, options?: RequestOptions): Reply<Job> {
    return this.#api.cancel(jobId, options);
  }

  /** Reads the result of a succeeded job. @throws ConflictError JOB_NOT_SUCCEEDED in any other state */
  result<A extends ActionId = string>(
    jobId: string,
    options?: RequestOptions,
  ): Reply<JobResult<A>> {
    return this.#api.result<A>(jobId, options);
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
    return eachItem((cursor) =>
      this.listAllAccountsRuns({ ...query, ...(cursor === null ? {} : { cursor }) }, options),
    );
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
    return eachItem((cursor) =>
      this.listAllAccountsLines({ ...query, ...(cursor === null ? {} : { cursor }) }, options),
    );
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
    const stored = isJobId(token) ? null : readResumeToken(token, this.#api.home);
    return new JobHandle<A>(this.#api, {
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
    const driver = new AllAccountsDriver<A>(this.#api, this.#checkpoint(request), options);
    const outcomes = leavable((left) => outcomesOf(driver.run(left), options.timeoutMs));
    const checkpoint = { get: () => driver.checkpoint };
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
    const driver = new AllAccountsDriver<A>(this.#api, this.#checkpoint(request), options);
    return leavable((left) => driver.run(left));
  }

  /** The answered rounds of an all-accounts call, each sent at its time. Does not wait for jobs. */
  allAccountsRounds<const A extends AccountActionId>(
    request: AllAccountsRequest<A> | AllAccountsCheckpoint,
    options?: RoundsOptions,
  ): AsyncGenerator<AllAccountsRound, void, void> {
    return sendRounds(this.#api, this.#checkpoint(request), options);
  }

  /** Its errors carry the key too: a caller that repeats the call with it is safe. */
  async #ready<A extends ActionId>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    signal: AbortSignal | undefined,
  ): Promise<PreparedSubmission<A>> {
    if (isPrepared(request)) {
      readPrepared(request, this.#api.home);
      return request;
    }
    const idempotencyKey = checkKey(request.idempotencyKey ?? crypto.randomUUID());
    const keyed = { ...request, idempotencyKey };
    const prepare = () => prepareSubmission<A>(keyed, this.#api.home, this.#encrypt);
    try {
      const work = request.secrets ? this.#sent.resolve<A>(keyed, prepare) : prepare();
      return await untilAborted(work, signal);
    } catch (error) {
      throw withFacts(error, { idempotencyKey, operation: 'submitJob' });
    }
  }

  #checkpoint(request: AllAccountsRequest | AllAccountsCheckpoint): AllAccountsCheckpoint {
    return 'kind' in request
      ? readCheckpoint(request, this.#api.home)
      : firstCheckpoint(request, this.#api.home);
  }
}
