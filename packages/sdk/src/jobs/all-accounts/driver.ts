import { isEndState } from '@changgu/contract';
import type { RequestOptions } from '../../client-options.ts';
import { ChangguError } from '../../errors/changgu-error.ts';
import { AbortedError, TimeoutError } from '../../errors/transport-errors.ts';
import type { Clock } from '../../request/clock.ts';
import { Channel } from '../channel.ts';
import type { JobHandle } from '../handle.ts';
import type { HandleFacts } from '../handle-facts.ts';
import type { Job, JobStatus } from '../job.ts';
import type { JobsApi } from '../jobs-api.ts';
import { type AllAccountsCheckpoint, type SubmittedAccount, withCheckpoint } from './checkpoint.ts';
import { type AccountOutcome, outcomesOf } from './outcomes.ts';
import {
  type AllAccountsRound,
  hasRound,
  pauseUntilDue,
  type SentRound,
  sendRound,
  submittedAccounts,
} from './rounds.ts';
import {
  type AccountStep,
  type AllAccountsStep,
  type AllAccountsStepsOptions,
  type EndStep,
  isFinal,
} from './steps.ts';

/** How the submission of rounds ended. */
type Sent = Pick<EndStep, 'stop' | 'interruption' | 'error'>;

/** An account to wait for, with its line's state in the answer. */
type Line = SubmittedAccount & { readonly status: JobStatus | null };

const ALL_SENT: Sent = { stop: 'ended', interruption: null, error: null };
const LATE: Sent = { ...ALL_SENT, stop: 'deadline' };

/** What an all-accounts call starts with. */
export interface AllAccountsStart<A extends string> {
  readonly checkpoint: AllAccountsCheckpoint;
  readonly options: AllAccountsStepsOptions;
  /** When the call was made, to which `timeoutMs` belongs. */
  readonly startedAt: number;
  readonly handle: (facts: HandleFacts) => JobHandle<A>;
}

/** Submits the rounds of a call, waits for the jobs in the meantime, and yields what happens, step by step. */
export class AllAccountsDriver<A extends string> {
  readonly #newHandle: AllAccountsStart<A>['handle'];
  readonly #api: JobsApi;
  readonly #options: AllAccountsStepsOptions;
  readonly #clock: Clock;
  readonly #endsAt: number;
  /** Ends everything: the caller has stopped reading. */
  readonly #stop = new AbortController();
  /** Ends the waiting for jobs: the caller has stopped reading or the deadline has passed. */
  readonly #stopWaiting = new AbortController();
  readonly #steps = new Channel<AllAccountsStep<A>>();
  readonly #lines = new Channel<Line>();
  /** Submitted but not yielded yet, by job id. */
  readonly #pending = new Map<string, SubmittedAccount>();
  /** Aborted when a job has ended since the last round was sent: there may be room for another account. */
  #room = new AbortController();
  #rest: AllAccountsCheckpoint;
  #submitted = 0;
  /** An account was still unfinished at the deadline. */
  #isCut = false;

  constructor(
    api: JobsApi,
    { checkpoint: start, options, startedAt, handle }: AllAccountsStart<A>,
  ) {
    this.#newHandle = handle;
    this.#api = api;
    this.#options = options;
    this.#rest = start;
    this.#clock = api.pollSettings().clock;
    this.#endsAt = startedAt + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
    for (const account of start.pending) this.#waitAlsoFor({ ...account, status: null });
  }

  /** The current state of the call, without the accounts already yielded. */
  get checkpoint(): AllAccountsCheckpoint {
    return { ...this.#rest, pending: [...this.#pending.values()] };
  }

  /** @throws AbortedError as soon as `signal` aborts, and what `onCheckpoint` throws */
  async *run(left: AbortSignal): AsyncGenerator<AllAccountsStep<A>, void, void> {
    const { signal } = this.#options;
    const onAbort = () => this.#end({ error: new AbortedError(signal?.reason) });
    left.addEventListener('abort', () => this.#end(), { once: true });
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const stopTimer = this.#startDeadline();
    void this.#work();
    try {
      for await (const step of this.#steps.read()) {
        yield step.type === 'end' ? { ...step, checkpoint: this.#remaining } : step;
        // The reader asked for the next step, so it has processed this one.
        if (step.type === 'account' && isFinal(step)) this.#pending.delete(step.jobId);
      }
    } catch (error) {
      throw withCheckpoint(error, this.checkpoint);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      stopTimer();
      this.#end();
    }
  }

  /** @throws what `outcomesOf` throws */
  outcomes(left: AbortSignal): AsyncGenerator<AccountOutcome<A>, void, void> {
    return outcomesOf(this.run(left), this.#options.timeoutMs);
  }

  get #remaining(): AllAccountsCheckpoint | null {
    return hasRound(this.#rest) || this.#pending.size > 0 ? this.checkpoint : null;
  }

  #end(end: { readonly error?: unknown } = {}): void {
    this.#steps.close(end);
    this.#stop.abort();
    this.#stopWaiting.abort();
  }

  #startDeadline(): () => void {
    if (!Number.isFinite(this.#endsAt)) return () => {};
    const timer = this.#clock.setTimeout(() => this.#stopWaiting.abort(), this.#leftMs);
    return () => this.#clock.clearTimeout(timer);
  }

  get #leftMs(): number {
    return Math.max(0, this.#endsAt - this.#clock.now());
  }

  /** Never rejects. The reader gets a failure after the accounts that were submitted. */
  async #work(): Promise<void> {
    const sending = this.#send().finally(() => this.#lines.close());
    const queue = this.#lines.read();
    const { concurrency = 8 } = this.#options;
    const waiting = Array.from({ length: concurrency }, () => this.#waitForLines(queue));
    const work = [sending, ...waiting];
    await Promise.allSettled(work);
    try {
      await Promise.all(work);
      const sent = await sending;
      const stop = sent.stop === 'ended' && this.#isCut ? 'deadline' : sent.stop;
      this.#steps.push({ type: 'end', ...sent, stop, checkpoint: null });
      this.#steps.close();
    } catch (error) {
      this.#steps.close({ error });
    }
  }

  async #send(): Promise<Sent> {
    const { onCheckpoint } = this.#options;
    await onCheckpoint?.(this.checkpoint);
    let isFull = false;
    while (hasRound(this.#rest)) {
      if (!(await this.#pause(isFull))) return LATE;
      this.#room = new AbortController();
      const sent = await this.#sendRound();
      if ('stop' in sent) return sent;
      await this.#take(sent.round, sent.checkpoint);
      isFull = !sent.round.interruption;
      if (sent.after === 'submitted') break;
      if (sent.after === 'again') continue;
      return { ...ALL_SENT, stop: sent.after, interruption: sent.round.interruption ?? null };
    }
    return ALL_SENT;
  }

  /**
   * Until the next round is due, or a job of the call has made room for it. Each job ends one pause at most, so that a
   * full service gets no more rounds than the call has accounts.
   * @returns false when the deadline came first
   */
  async #pause(isFull: boolean): Promise<boolean> {
    const { signal } = this.#stopWaiting;
    const room = isFull ? [this.#room.signal] : [];
    try {
      await pauseUntilDue(this.#api, this.#rest, AbortSignal.any([signal, ...room]));
    } catch (error) {
      if (this.#stop.signal.aborted) throw error;
      return !signal.aborted;
    }
    return true;
  }

  async #sendRound(): Promise<SentRound | Sent> {
    const { whenFull = 'wait' } = this.#options;
    try {
      return await sendRound(this.#api, this.#rest, this.#requestOptions(), {
        submitted: this.#submitted,
        leftMs: this.#leftMs,
        whenFull,
      });
    } catch (error) {
      if (!(error instanceof ChangguError) || error instanceof AbortedError) throw error;
      const isLate = error instanceof TimeoutError && this.#leftMs === 0;
      return isLate ? LATE : { ...ALL_SENT, stop: 'refused', error };
    }
  }

  /** The checkpoint first: after a crash at any point, what is stored names these jobs. */
  async #take(round: AllAccountsRound, checkpoint: AllAccountsCheckpoint): Promise<void> {
    const statuses = new Map(round.accounts.map(({ jobId, status }) => [jobId, status]));
    const fresh = submittedAccounts(round).filter(({ jobId }) => !this.#pending.has(jobId));
    this.#rest = checkpoint;
    for (const account of fresh) this.#pending.set(account.jobId, account);
    await this.#options.onCheckpoint?.(this.checkpoint);
    this.#steps.push({ type: 'round', ...round });
    for (const account of fresh) {
      this.#waitAlsoFor({ ...account, status: statuses.get(account.jobId) ?? null });
    }
  }

  #waitAlsoFor(line: Line): void {
    const { status: _, ...account } = line;
    this.#pending.set(account.jobId, account);
    this.#submitted += 1;
    this.#lines.push(line);
  }

  async #waitForLines(queue: AsyncGenerator<Line, void, void>): Promise<void> {
    for (;;) {
      const { value: line, done } = await queue.next();
      if (done || this.#stop.signal.aborted) return;
      const step = await this.#waitFor(line);
      if (step) this.#steps.push(step);
      else this.#isCut = true;
    }
  }

  /** Null when the deadline came first. */
  async #waitFor({ status, ...account }: Line): Promise<AccountStep<A> | null> {
    const job = this.#handle(account.jobId, status);
    const facts = { type: 'account', ...account, job } as const;
    let reading: Job | null = null;
    try {
      reading = await this.#readEnd(job);
      const isEnough = reading.status === 'SUCCEEDED' && this.#options.results === false;
      // Throws the reason if the job did not succeed.
      const result = isEnough ? null : await job.result(this.#requestOptions());
      return { ...facts, reading, result, error: null };
    } catch (error) {
      if (!(error instanceof ChangguError)) throw error;
      return error instanceof AbortedError ? null : { ...facts, reading, result: null, error };
    }
  }

  /** A job that had already ended in the answer is read even after the deadline. */
  async #readEnd(job: JobHandle<A>): Promise<Job> {
    if (job.status !== null && isEndState(job.status)) return job.poll(this.#requestOptions());
    const reading = await job.wait({ signal: this.#stopWaiting.signal });
    this.#room.abort();
    return reading;
  }

  /** The caller's request settings, within the time that is left for the call. */
  #requestOptions(): RequestOptions {
    const { attemptTimeoutMs, maxRetries, headers, middleware, graceMs = 0 } = this.#options;
    const { totalTimeoutMs } = this.#api.limits(this.#options);
    return {
      attemptTimeoutMs,
      totalTimeoutMs: Math.min(totalTimeoutMs, this.#leftMs + graceMs),
      maxRetries,
      headers,
      middleware,
      signal: this.#stop.signal,
    };
  }

  #handle(id: string, status: JobStatus | null): JobHandle<A> {
    return this.#newHandle({
      id,
      action: this.#rest.action,
      idempotencyKey: this.#rest.batchKey,
      submittedAt: null,
      status,
      replayed: false,
      submittedAtLocal: this.#clock.now(),
    });
  }
}
