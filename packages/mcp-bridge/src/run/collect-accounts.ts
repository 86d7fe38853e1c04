import { type AllAccountsRound, type Interruption, isChangguError, isEndState } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';
import { pause } from '../clock.ts';
import type { ToolContext } from '../tools/tool.ts';
import { AccountLines, type SubmittedLine } from './account-lines.ts';
import type { ServiceCall } from './service-call.ts';

export interface Collected {
  readonly lines: AccountLines;
  /** Why the call stopped midway. */
  readonly interruption: Interruption | undefined;
}

/** Of one request, attempts and sleeps together. */
const ROUND_LIMIT_MS = 15_000;
const READ_LIMIT_MS = 4_000;

/**
 * Submits the accounts round by round and waits for their jobs, until all have ended or the time is over. All rounds
 * have the key of the call, which the service keeps per account: a call that is repeated, also by another process,
 * finds its own jobs (ADR 0020).
 * @throws what refused the first round; a later refusal is an interruption (R119)
 */
export async function collectAccounts(
  bridge: Bridge,
  call: ServiceCall,
  batchKey: string,
  context: ToolContext,
): Promise<Collected> {
  const { clock } = bridge;
  const { signal } = context;
  const lines = new AccountLines();
  const deadline = clock.now() + call.waitSeconds * 1000;
  const waits: Promise<void>[] = [];
  const submit = async (ids: readonly string[] | undefined, limitMs: number) => {
    const round = await sendRound(bridge, call, batchKey, ids, limitMs);
    const jobs = lines.take(round);
    waits.push(...jobs.map((job) => waitForLine(bridge, lines, job, deadline, context)));
    return round;
  };

  let round = await submit(call.bankAccountIds, ROUND_LIMIT_MS);
  tell(lines, context);
  let { interruption } = round;
  while (round.next && !interruption && waits.length > 0) {
    const pauseMs = round.next.retryAfterSeconds * 1000;
    if (clock.now() + pauseMs >= deadline) break;
    await pause(clock, pauseMs, signal);
    if (signal.aborted) break;
    try {
      const limitMs = Math.min(ROUND_LIMIT_MS, deadline - clock.now());
      round = await submit(round.next.bankAccountCredentialIds, limitMs);
      interruption = round.interruption;
    } catch (error) {
      interruption = interruptionBy(error);
    }
  }
  await Promise.all(waits);
  return { lines, interruption };
}

/** @throws what is no error of the service or of the way to it */
function interruptionBy(error: unknown): Interruption {
  if (!isChangguError(error)) throw error;
  const { code, message } = error;
  return { code, reason: null, message };
}

async function sendRound(
  { client }: Bridge,
  { action, accountLinkId, params }: ServiceCall,
  batchKey: string,
  ids: readonly string[] | undefined,
  limitMs: number,
): Promise<AllAccountsRound> {
  const request = {
    action: action.id,
    accountLinkId,
    bankAccountCredentialIds: ids,
    params,
    batchKey,
  };
  const rounds = client.jobs.allAccountsRounds(request, { totalTimeoutMs: limitMs });
  const { value } = await rounds.next();
  await rounds.return();
  if (!value) throw new Error('A round gave no answer.');
  return value;
}

async function waitForLine(
  { client, clock }: Bridge,
  lines: AccountLines,
  { bankAccountId, jobId, status }: SubmittedLine,
  deadline: number,
  context: ToolContext,
): Promise<void> {
  const { signal } = context;
  const timeoutMs = Math.max(0, deadline - clock.now());
  try {
    const job = isEndState(status)
      ? await client.jobs.get(jobId, { signal, totalTimeoutMs: READ_LIMIT_MS })
      : await client.jobs.resume(jobId).wait({ timeoutMs, signal });
    if (!isEndState(job.status)) return;
    lines.end(bankAccountId, job);
    tell(lines, context);
  } catch (error) {
    // Time is over, the caller is gone, or reading failed: the line stays as it was, and the job goes on.
    if (!isChangguError(error)) throw error;
  }
}

function tell(lines: AccountLines, { progress }: ToolContext): void {
  const total = lines.all.length;
  const done = lines.endedCount;
  progress.report((100 * done) / Math.max(total, 1), `계좌 ${total}개 중 ${done}개 완료`);
}
