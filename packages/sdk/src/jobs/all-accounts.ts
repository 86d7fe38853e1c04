import type { AllAccountsLine } from '@changgu/contract';
import { ChangguError } from '../errors/changgu-error.ts';
import { AllAccountsInterruptedError } from '../errors/job-errors.ts';
import { AbortedError } from '../errors/transport-errors.ts';
import type { Camelized } from '../wire-case.ts';
import {
  type AllAccountsRound,
  isStopped,
  type RoundsOptions,
  sendRounds,
} from './all-accounts-rounds.ts';
import { Channel } from './channel.ts';
import type { AllAccountsCheckpoint } from './checkpoint.ts';
import { JobHandle } from './handle.ts';
import type { JobResult } from './job.ts';
import type { JobsApi } from './jobs-api.ts';

interface AccountFacts<A extends string> {
  accountLinkId: string;
  bankAccountCredentialId: string;
  maskedAccountNo: string;
  job: JobHandle<A>;
}

/** One account whose job has ended. A failure is data: it stops no other account. */
export type AccountOutcome<A extends string = string> =
  | (AccountFacts<A> & { ok: true; result: JobResult<A> })
  | (AccountFacts<A> & { ok: false; error: ChangguError });

export interface AllAccountsOptions extends RoundsOptions {
  /** Jobs waited for at a time. @default 8 */
  readonly concurrency?: number | undefined;
}

type Line = Camelized<AllAccountsLine>;

/**
 * Sends all rounds and yields each account when its job has ended, in the order of ending.
 * @throws after the accounts that were submitted: AllAccountsInterruptedError when the call stopped midway, or what
 *   sending a round threw; AbortedError at once
 */
export async function* waitForAllAccounts<A extends string>(
  api: JobsApi,
  start: AllAccountsCheckpoint,
  options: AllAccountsOptions,
  left: AbortSignal,
): AsyncGenerator<AccountOutcome<A>, void, void> {
  const { concurrency = 8, signal, ...rest } = options;
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });

  const outcomes = new Channel<AccountOutcome<A>>();
  left.addEventListener('abort', () => outcomes.close(), { once: true });
  const lines = new Channel<AccountFacts<A>>();
  const queue = lines.read();
  const sending = sendAll(api, start, { ...rest, signal: stop.signal }, lines);
  const waiting = Array.from({ length: Math.max(1, concurrency) }, () =>
    waitForLines(queue, stop.signal, outcomes),
  );
  // What was submitted is waited for, also when the sending failed.
  void Promise.allSettled([sending, ...waiting]).then((ends) => {
    const failed = ends.find((end) => end.status === 'rejected');
    outcomes.close(failed ? { error: failed.reason } : {});
  });
  try {
    yield* outcomes.read();
  } finally {
    signal?.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

async function sendAll<A extends string>(
  api: JobsApi,
  start: AllAccountsCheckpoint,
  options: RoundsOptions,
  lines: Channel<AccountFacts<A>>,
): Promise<void> {
  try {
    let last: AllAccountsRound | null = null;
    for await (const round of sendRounds(api, start, options)) {
      for (const line of round.accounts) {
        if (line.jobId !== null) lines.push(toFacts<A>(api, start.action, line, line.jobId));
      }
      last = round;
    }
    lines.close();
    if (last?.interruption && isStopped(last)) {
      throw new AllAccountsInterruptedError(last.interruption, last.checkpoint);
    }
  } finally {
    lines.close();
  }
}

function toFacts<A extends string>(
  api: JobsApi,
  action: string,
  line: Line,
  jobId: string,
): AccountFacts<A> {
  const { accountLinkId, bankAccountCredentialId, maskedAccountNo, status } = line;
  const job = new JobHandle<A>(api, {
    id: jobId,
    action,
    idempotencyKey: null,
    submittedAt: null,
    status,
    replayed: false,
    submittedAtLocal: api.pollSettings().clock.now(),
  });
  return { accountLinkId, bankAccountCredentialId, maskedAccountNo, job };
}

async function waitForLines<A extends string>(
  queue: AsyncGenerator<AccountFacts<A>, void, void>,
  signal: AbortSignal,
  outcomes: Channel<AccountOutcome<A>>,
): Promise<void> {
  for (;;) {
    const { value: account, done } = await queue.next();
    if (done) return;
    try {
      outcomes.push({ ...account, ok: true, result: await account.job.result({ signal }) });
    } catch (error) {
      if (error instanceof AbortedError || !(error instanceof ChangguError)) throw error;
      outcomes.push({ ...account, ok: false, error });
    }
  }
}
