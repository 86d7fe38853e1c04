import { setTimeout as sleep } from 'node:timers/promises';
import { type AllAccountsRound, type Interruption, isChangguError, isEndState } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';
import type { ToolContext } from '../tools/tool.ts';
import { AccountLines } from './account-lines.ts';
import type { ServiceCall } from './service-call.ts';

export interface Collected {
  readonly lines: AccountLines;
  /** Why the service stopped midway. */
  readonly interruption: Interruption | undefined;
}

/** Of one request, attempts and sleeps together. */
const ROUND_LIMIT_MS = 15_000;

/**
 * Submits the accounts round by round and waits for their jobs, until all have ended or the time is over.
 * Every round has the same key: the service keeps it per account, so a repeated call finds its own jobs.
 */
export async function collectAccounts(
  bridge: Bridge,
  call: ServiceCall,
  batchKey: string,
  context: ToolContext,
): Promise<Collected> {
  const lines = new AccountLines();
  const deadline = bridge.now() + call.waitSeconds * 1000;
  const waits: Promise<void>[] = [];
  let ids = call.bankAccountIds;
  for (;;) {
    const round = await sendRound(bridge, call, batchKey, ids);
    const jobs = lines.take(round);
    if (waits.length === 0) tell(lines, context);
    waits.push(...jobs.map((job) => waitForLine(bridge, lines, job, deadline, context)));
    const pauseMs = pauseAfter(round, waits.length);
    if (pauseMs === null || bridge.now() + pauseMs >= deadline || context.signal.aborted) {
      await Promise.all(waits);
      return { lines, interruption: round.interruption };
    }
    ids = round.next?.bankAccountCredentialIds;
    await sleep(pauseMs, undefined, { signal: context.signal });
  }
}

/** Milliseconds before the next round; null when there is none, or none would get further. */
function pauseAfter({ next, interruption }: AllAccountsRound, submitted: number): number | null {
  if (!next || interruption || submitted === 0) return null;
  return next.retryAfterSeconds * 1000;
}

async function sendRound(
  { client }: Bridge,
  { action, accountLinkId, params }: ServiceCall,
  batchKey: string,
  ids: readonly string[] | undefined,
): Promise<AllAccountsRound> {
  const request = {
    action: action.id,
    accountLinkId,
    bankAccountCredentialIds: ids,
    params,
    batchKey,
  };
  const rounds = client.jobs.allAccountsRounds(request, { totalTimeoutMs: ROUND_LIMIT_MS });
  const { value } = await rounds.next();
  await rounds.return();
  if (!value) throw new Error('A round gave no answer.');
  return value;
}

async function waitForLine(
  { client, now }: Bridge,
  lines: AccountLines,
  { bankAccountId, jobId }: { bankAccountId: string; jobId: string },
  deadline: number,
  context: ToolContext,
): Promise<void> {
  const timeoutMs = Math.max(0, deadline - now());
  try {
    const job = await client.jobs.resume(jobId).wait({ timeoutMs, signal: context.signal });
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
