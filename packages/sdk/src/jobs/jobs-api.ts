import {
  freesKey,
  isEndState,
  type JobReadResponse,
  type JobResultResponse,
  type JobSubmitResponse,
  submitNextRun,
} from '@changgu/contract';
import type { RequestOptions } from '../client-options.ts';
import type { Sender } from '../operations/sender.ts';
import { bodyOf } from '../request/answer-body.ts';
import type { Answer } from '../request/core.ts';
import { isRecord, isString, like, listOf, optional } from '../shape.ts';
import type { Camelized } from '../wire-case.ts';
import type { ActionData, ActionParams } from './action-types.ts';
import type { AllAccountsCheckpoint } from './all-accounts/checkpoint.ts';
import type { HandleFacts } from './handle-facts.ts';
import type { Job, JobFailure, JobResult } from './job.ts';
import type { PollLoopOptions, PollReading } from './poll-loop.ts';
import type { PreparedSubmission } from './prepared.ts';

/** The job operations of the API, one method each, and what handles additionally need. */
export class JobsApi {
  readonly #sender: Sender;
  readonly #invalidateKey: () => void;

  constructor(sender: Sender, invalidateKey: () => void) {
    this.#sender = sender;
    this.#invalidateKey = invalidateKey;
  }

  pollSettings(): Pick<PollLoopOptions, 'clock' | 'random' | 'logger' | 'maxRetryAfterMs'> {
    const { clock, random, logger } = this.#sender.core;
    const { maxRetryAfterMs } = this.#sender.limits({});
    return { clock, random, logger, maxRetryAfterMs };
  }

  limits(options: RequestOptions): ReturnType<Sender['limits']> {
    return this.#sender.limits(options);
  }

  /** The options with the remaining part of `timeoutMs`, which also limits every single request of a call. */
  within<O extends RequestOptions & { readonly timeoutMs?: number | undefined }>(
    options: O,
    startedAt: number,
  ): O {
    if (options.timeoutMs === undefined) return options;
    const { clock } = this.#sender.core;
    const timeoutMs = Math.max(0, options.timeoutMs - (clock.now() - startedAt));
    const { totalTimeoutMs } = this.limits(options);
    return { ...options, timeoutMs, totalTimeoutMs: Math.min(totalTimeoutMs, timeoutMs) };
  }

  /** Sends the prepared bytes under their key. */
  async submit(prepared: PreparedSubmission, options?: RequestOptions): Promise<HandleFacts> {
    return this.#factsOf(prepared, await this.#sendPrepared(prepared, {}, options));
  }

  /** Sends them under the key of their next run where earlier ones have freed it. */
  async submitAgain(prepared: PreparedSubmission, options?: RequestOptions): Promise<HandleFacts> {
    const found = await submitNextRun(prepared.idempotencyKey, async (idempotencyKey) => {
      const run = { ...prepared, idempotencyKey };
      const answer = await this.#sendPrepared(run, {}, options);
      const facts = this.#factsOf(run, answer);
      // What a retry finds may be the job of this very call, whose failure was never reported.
      const isEarlier = facts.replayed && answer.facts.attempts === 1;
      const hasEnded = isEarlier && isEndState(facts.status ?? '');
      return { facts, isFreed: hasEnded && freesKey(await this.get(facts.id, options)) };
    });
    return found.facts;
  }

  #factsOf(prepared: PreparedSubmission, answer: Answer): HandleFacts {
    const { jobId, status, submittedAt } = bodyOf<JobSubmitResponse>(answer, JOB);
    return {
      id: jobId,
      action: prepared.action,
      idempotencyKey: prepared.idempotencyKey,
      submittedAt,
      status,
      replayed: answer.headers.get('idempotent-replayed') === 'true',
      submittedAtLocal: this.#sender.core.clock.now(),
    };
  }

  /** Sends the same for a check that creates no job. */
  validate(prepared: PreparedSubmission, options?: RequestOptions): Promise<Answer> {
    return this.#sendPrepared(prepared, { prefer: 'validate-only' }, options);
  }

  get(jobId: string, options?: RequestOptions): Promise<Job> {
    return this.#readAs('readJob', jobId, options);
  }

  /** One read for a poll loop: the service may wait for a change, and the loop judges failures. */
  async readForPoll(jobId: string, waitSeconds: number, signal: AbortSignal): Promise<PollReading> {
    const { waitSlots } = this.#sender.core;
    const waits = waitSeconds > 0 && waitSlots.take();
    // The client's own clocks are for immediate answers; the waiter decides how long to wait.
    const clocks = {
      attemptTimeoutMs: waitSeconds * 1000 + 10_000,
      totalTimeoutMs: Number.POSITIVE_INFINITY,
    };
    const options = { signal, maxRetries: 0, ...(waits && clocks) };
    const headers = waits ? { prefer: `wait=${waitSeconds}` } : {};
    const answer = await this.#sender
      .send('readJob', { path: { job_id: jobId }, headers }, options)
      .finally(() => waits && waitSlots.release());
    const applied = answer.headers.get('preference-applied') ?? '';
    const job = bodyOf<JobReadResponse>(answer, READING);
    return { job, waited: waits && /\bwait\b/.test(applied), traceId: answer.facts.traceId };
  }

  async result<A extends string>(jobId: string, options?: RequestOptions): Promise<JobResult<A>> {
    const answer = await this.#sender.send('readJobResult', { path: { job_id: jobId } }, options);
    return toResult<A>(bodyOf<JobResultResponse>(answer, RESULT));
  }

  cancel(jobId: string, options?: RequestOptions): Promise<Job> {
    return this.#readAs('cancelJob', jobId, options);
  }

  async #readAs(
    operation: 'readJob' | 'cancelJob',
    jobId: string,
    options: RequestOptions | undefined,
  ): Promise<Job> {
    const answer = await this.#sender.send(operation, { path: { job_id: jobId } }, options);
    return bodyOf<JobReadResponse>(answer, READING);
  }

  /** Cancels in the background. */
  cancelInBackground(jobId: string): void {
    this.cancel(jobId).catch((error: unknown) => {
      const { logger } = this.#sender.core;
      logger?.warn('the job could not be canceled', { jobId, error: String(error) });
    });
  }

  /** A value that could not be decrypted may mean that the key was rotated. */
  noteFailure(failure: JobFailure | null): void {
    if (failure?.code === 'ENCRYPTED_FIELD_DECRYPT_FAILED') this.#invalidateKey();
  }

  /** Sends one round of an all-accounts call. */
  async submitRound(checkpoint: AllAccountsCheckpoint, options?: RequestOptions): Promise<Answer> {
    const { request, bankAccountCredentialIds: ids, sandboxOutcome } = checkpoint;
    const body: object = JSON.parse(request);
    return this.#sender.send(
      'submitAllAccounts',
      {
        body: JSON.stringify({ ...body, bank_account_credential_ids: ids ?? undefined }),
        idempotencyKey: checkpoint.batchKey,
        headers: played(sandboxOutcome),
      },
      options,
    );
  }

  #sendPrepared(
    { body, idempotencyKey, sandboxOutcome }: PreparedSubmission,
    preference: { readonly prefer?: string },
    options?: RequestOptions,
  ): Promise<Answer> {
    const headers = { ...played(sandboxOutcome), ...preference };
    return this.#sender.send('submitJob', { body, idempotencyKey, headers }, options);
  }
}

/** What sandbox is asked to play. */
function played(outcome: string | null | undefined): Record<string, string> {
  return typeof outcome === 'string' ? { 'x-sandbox-outcome': outcome } : {};
}

/** What is relied on of a submission's answer, of a read job and of a result. */
const JOB = { job_id: isString, status: isString };
const READING = { ...JOB, error: optional(like({ code: isString })) };
const RESULT = {
  job_id: isString,
  result: like({
    schema: isString,
    data: optional(isRecord),
    artifacts: optional(listOf(isRecord)),
  }),
};

function toResult<A extends string>(response: Camelized<JobResultResponse>): JobResult<A> {
  const { jobId, result, finishedAt } = response;
  const facts = {
    jobId,
    schema: result.schema,
    artifacts: (result.artifacts ?? []).map((artifact) => ({ ...artifact, jobId })),
    downloadUrl: result.downloadUrl ?? null,
    finishedAt,
    receipt: response.receipt ?? null,
  };
  const data = result.data ?? null;
  // The service validated the data against the action's schema; the types say the same.
  return isEcho<A>(data)
    ? { ...facts, sandbox: true, data }
    : { ...facts, sandbox: false, data: data as ActionData<A> | null };
}

function isEcho<A extends string>(
  data: object | null,
): data is { mock: true; params_echo: ActionParams<A> } {
  return data !== null && 'mock' in data && data.mock === true && 'params_echo' in data;
}
