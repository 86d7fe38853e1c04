import {
  ApiError,
  type Changgu,
  isChangguError,
  type JobHandle,
  type PreparedSubmission,
  type RequestOptions,
} from '@changgu/sdk';
import { freesKey, submitNextRun } from '@changgu/sdk/catalogue';
import type { WritingCli } from '../../cli.ts';
import { shellWord } from '../../output/shell-word.ts';
import { PossiblyAccepted } from '../../possibly-accepted.ts';
import { Unfinished } from '../../unfinished.ts';
import { isSameRequest, PendingSubmissions } from './pending.ts';

export interface SendOptions {
  /**
   * The command may be repeated under a key of the caller's own, which a failure without effect frees: then it runs
   * again. A lost answer is only asked for again.
   */
  readonly isRepeatable: boolean;
  /** Encrypting again gives other bytes, so only the stored ones replay under the caller's key. */
  readonly keep: boolean;
  /** The command waits for the job, and so does the one that sends it again. */
  readonly wait: boolean;
}

/** Refusals of the request itself: the same bytes will never be accepted. */
const NEVER = new Set([400, 409, 413, 422]);

/**
 * Sends a submission, and stores it when the answer was lost: the job may exist, and only the same bytes under the
 * same key find it again.
 */
export async function sendSubmission(
  cli: WritingCli,
  client: Changgu,
  prepared: PreparedSubmission,
  { isRepeatable, keep, wait }: SendOptions,
): Promise<JobHandle> {
  const pending = await PendingSubmissions.of(cli);
  const accepted = new PossiblyAccepted();
  const runs = new RunsOfKey(cli, client, pending, prepared);
  const call = { ...cli.call, middleware: [accepted.middleware] };
  let job: JobHandle;
  try {
    if (keep) job = await runs.submit(call);
    else if (isRepeatable) job = await client.jobs.submitAgain(prepared, call);
    else job = await client.jobs.submit(prepared, call);
  } catch (error) {
    if (cli.gate.held || !isChangguError(error)) throw error;
    // A read of what is there already.
    if (error.operation !== null && error.operation !== 'submitJob') throw error;
    const sent = runs.sentAs(error.idempotencyKey ?? prepared.idempotencyKey);
    if (error instanceof ApiError && !accepted.has(sent.idempotencyKey)) {
      if (NEVER.has(error.status)) await pending.forget(sent);
      throw error;
    }
    throw await lost(cli, pending, sent, { cause: error, wait });
  }
  const answered = runs.sentAs(job.idempotencyKey ?? prepared.idempotencyKey);
  // The job matters more than a file that could not be written.
  if (keep) await pending.write({ submission: answered, isAnswered: true }).catch(() => {});
  else await pending.forget(answered);
  return job;
}

/** Without room for it, or with another request in its place, the key is all that finds the job. */
async function lost(
  cli: WritingCli,
  pending: PendingSubmissions,
  sent: PreparedSubmission,
  { cause, wait }: { readonly cause: unknown; readonly wait: boolean },
): Promise<Unfinished> {
  const { idempotencyKey: key } = sent;
  const isStored = await pending.write({ submission: sent, isAnswered: false }).catch(() => false);
  const { answerLost, answerLostUnstored } = cli.texts.jobs;
  return new Unfinished(cause, {
    facts: { idempotency_key: key },
    notice: isStored ? answerLost : answerLostUnstored,
    commands: [
      isStored
        ? `changgu jobs submit --resend ${shellWord(key)}${wait ? ' --wait' : ''}`
        : `changgu jobs list --idempotency-key ${shellWord(key)}`,
    ],
  });
}

/**
 * The bytes for each key of a repeated command. Under a key that has a job, the stored ones, which find it; under every
 * other, those of now: the secret stored with a job that failed may be the reason for it.
 */
class RunsOfKey {
  readonly #cli: WritingCli;
  readonly #client: Changgu;
  readonly #pending: PendingSubmissions;
  readonly #fresh: PreparedSubmission;
  readonly #sent = new Map<string, PreparedSubmission>();

  constructor(
    cli: WritingCli,
    client: Changgu,
    pending: PendingSubmissions,
    fresh: PreparedSubmission,
  ) {
    this.#cli = cli;
    this.#client = client;
    this.#pending = pending;
    this.#fresh = fresh;
  }

  async submit(call: RequestOptions): Promise<JobHandle> {
    const { job } = await submitNextRun(this.#fresh.idempotencyKey, async (key) => {
      const submission = await this.#choose(key);
      this.#sent.set(key, submission);
      const { data, response } = await this.#client.jobs.submit(submission, call).withResponse();
      // What a retry finds may be the job of this very call, whose failure was never reported.
      const isEarlier = data.replayed && response.attempts === 1;
      return { job: data, isFreed: isEarlier && (await this.#isFreed(data)) };
    });
    return job;
  }

  sentAs(key: string): PreparedSubmission {
    return this.#sent.get(key) ?? { ...this.#fresh, idempotencyKey: key };
  }

  async #choose(key: string): Promise<PreparedSubmission> {
    const fresh = { ...this.#fresh, idempotencyKey: key };
    const kept = await this.#pending.read(key);
    const isSame = kept !== null && isSameRequest(kept.submission, fresh);
    if (isSame && (kept.isAnswered || (await this.#hasJob(key)))) return kept.submission;
    // Before it is sent: after a crash, nothing else finds its job.
    if (!this.#cli.gate.dryRun) await this.#pending.write({ submission: fresh, isAnswered: false });
    return fresh;
  }

  async #isFreed({ id }: JobHandle): Promise<boolean> {
    return freesKey(await this.#client.jobs.get(id, this.#cli.call));
  }

  async #hasJob(key: string): Promise<boolean> {
    const found = await this.#client.jobs.list({ idempotencyKey: key, limit: 1 }, this.#cli.call);
    return found.items.length > 0;
  }
}
