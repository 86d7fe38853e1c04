import {
  type AfterRound,
  type AllAccountsResponse,
  afterRound,
  type Camel,
  type RoundOutcome,
} from '@changgu/contract';
import type { RequestOptions } from '../../client-options.ts';
import { bodyOf } from '../../request/answer-body.ts';
import { sleep } from '../../request/sleep.ts';
import { isNumber, isString, like, listOf, optional, orNull } from '../../shape.ts';
import type { AccountActionId, GivenParams, SpelledAccountAction } from '../action-types.ts';
import type { JobsApi } from '../jobs-api.ts';
import { type AllAccountsCheckpoint, type SubmittedAccount, withCheckpoint } from './checkpoint.ts';

/** One action on many bank accounts. */
export interface AllAccountsRequest<A extends AccountActionId = string> {
  /** An action that selects an account, e.g. `bank_b.accounts.transaction_history.search`. */
  readonly action: SpelledAccountAction<A>;
  /** Institution id. @default the first segment of the action */
  readonly provider?: string | undefined;
  /** Only this link. @default all links of the bank */
  readonly accountLinkId?: string | undefined;
  /** Only these accounts. @default all */
  readonly bankAccountCredentialIds?: readonly string[] | undefined;
  readonly params?: GivenParams<A, 'bank_account_credential_id'> | undefined;
  /** The Idempotency-Key of every round: one batch key never queries an account twice. @default a UUID v4 */
  readonly batchKey?: string | undefined;
  /** Sandbox only: how every job ends, for example `FAILED;code=PROVIDER_UPSTREAM_ERROR`. */
  readonly sandboxOutcome?: string | undefined;
  /** Accounts of an earlier call to wait for too. */
  readonly pending?: readonly SubmittedAccount[] | undefined;
}

export interface RoundsOptions extends RequestOptions {
  /** Called and awaited before each request and before the pause that precedes it. Store the checkpoint for resuming. */
  readonly onCheckpoint?: ((checkpoint: AllAccountsCheckpoint) => void | Promise<void>) | undefined;
}

/** One answered round. */
export interface AllAccountsRound extends Camel.AllAccountsResponse {
  /** 1 for the first. */
  round: number;
  /** Where to resume after this round; null when every account was submitted. */
  checkpoint: AllAccountsCheckpoint | null;
}

/** A round, what follows it, and the state of the call after it. */
export interface SentRound {
  readonly round: AllAccountsRound;
  readonly after: AfterRound;
  readonly checkpoint: AllAccountsCheckpoint;
}

/** Whether another round has to be sent. */
export function hasRound({ bankAccountCredentialIds: ids }: AllAccountsCheckpoint): boolean {
  return ids === null || ids.length > 0;
}

/**
 * Sends one round after another, each at its time, and yields each answer. Does not wait for jobs.
 * @param left the reader has left: no further round may be sent
 */
export async function* sendRounds(
  api: JobsApi,
  start: AllAccountsCheckpoint,
  { onCheckpoint, ...options }: RoundsOptions,
  left: AbortSignal,
): AsyncGenerator<AllAccountsRound, void, void> {
  const signal = options.signal ? AbortSignal.any([left, options.signal]) : left;
  const limits = { submitted: 0, leftMs: Number.POSITIVE_INFINITY, whenFull: 'wait' } as const;
  let checkpoint = start;
  try {
    while (hasRound(checkpoint)) {
      await onCheckpoint?.(checkpoint);
      await pauseUntilDue(api, checkpoint, signal);
      const sent = await sendRound(api, checkpoint, { ...options, signal }, limits);
      yield sent.round;
      if (sent.after !== 'again') return;
      checkpoint = sent.checkpoint;
    }
  } catch (error) {
    if (!left.aborted) throw withCheckpoint(error, checkpoint);
  }
}

/** Sleeps until the round of a checkpoint may be sent. */
export async function pauseUntilDue(
  api: JobsApi,
  { notBefore }: AllAccountsCheckpoint,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { clock } = api.pollSettings();
  const pauseMs = notBefore - clock.now();
  if (pauseMs > 0) await sleep(clock, pauseMs, signal);
}

/** Sends one round and says what follows it. */
export async function sendRound(
  api: JobsApi,
  checkpoint: AllAccountsCheckpoint,
  options: RequestOptions,
  { submitted, leftMs, whenFull }: Pick<RoundOutcome, 'submitted' | 'leftMs' | 'whenFull'>,
): Promise<SentRound> {
  const { clock } = api.pollSettings();
  const startedAt = clock.now();
  const answer = await api.submitRound(checkpoint, options);
  const response = bodyOf<AllAccountsResponse>(answer, ROUND);
  const now = clock.now();
  const next = checkpointAfter(checkpoint, response, now);
  const { interruption } = response;
  const all = submitted + submittedAccounts(response).length;
  const after = afterRound({
    submitted: all,
    remaining: response.next?.bankAccountCredentialIds.length ?? 0,
    interruption: interruption?.code ?? null,
    // A job that ends makes room, which ends the pause; only an interruption has to be waited out.
    pauseMs: all > 0 && !interruption ? 0 : next.notBefore - now,
    leftMs: leftMs - (now - startedAt),
    whenFull,
  });
  const round = {
    ...response,
    round: checkpoint.round,
    checkpoint: hasRound(next) ? next : null,
  };
  return { round, after, checkpoint: next };
}

/** The accounts of a round that have a job. */
export function submittedAccounts({ accounts }: Camel.AllAccountsResponse): SubmittedAccount[] {
  return accounts.flatMap(({ jobId, accountLinkId, bankAccountCredentialId, maskedAccountNo }) =>
    jobId === null ? [] : [{ accountLinkId, bankAccountCredentialId, maskedAccountNo, jobId }],
  );
}

/** What is relied on of a round's answer. */
const ROUND = {
  accounts: listOf(
    like({
      account_link_id: isString,
      bank_account_credential_id: isString,
      masked_account_no: isString,
      job_id: orNull(isString),
      status: isString,
    }),
  ),
  next: orNull(
    like({ bank_account_credential_ids: listOf(isString), retry_after_seconds: isNumber }),
  ),
  interruption: optional(like({ code: isString })),
};

function checkpointAfter(
  checkpoint: AllAccountsCheckpoint,
  response: Camel.AllAccountsResponse,
  now: number,
): AllAccountsCheckpoint {
  const { next } = response;
  const both = [...checkpoint.pending, ...submittedAccounts(response)];
  const pending = new Map(both.map((account) => [account.jobId, account]));
  return {
    ...checkpoint,
    round: checkpoint.round + 1,
    bankAccountCredentialIds: next?.bankAccountCredentialIds ?? [],
    notBefore: next ? now + next.retryAfterSeconds * 1000 : 0,
    pending: [...pending.values()],
  };
}
