import { type AllAccountsStep, type Interruption, isChangguError, isEndState } from '@changgu/sdk';
import { readsOn } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import type { ToolContext } from '../tools/tool.ts';
import { type AccountLine, AccountLines } from './account-lines.ts';
import type { ServiceCall } from './service-call.ts';
import type { CallIdentity } from './submission-keys.ts';

export interface Collected {
  readonly lines: AccountLines;
  /** Why the call stopped midway. */
  readonly interruption: Interruption | undefined;
}

/** Accounts submitted under one key. */
interface Batch {
  readonly key: string;
  /** Absent for all accounts of the bank. */
  readonly ids: readonly string[] | undefined;
  readonly covers: (bankAccountId: string) => boolean;
}

/** For one request, including retries and pauses. */
const REQUEST_LIMIT_MS = 15_000;
/** Reserved for reading jobs that ended at the last moment. */
const GRACE_MS = 4_000;

/**
 * Submits the accounts and waits for their jobs until all have ended or the time is up. The call's key applies to
 * each account, so a repeated call finds its own jobs, also from another process. Accounts whose job failed without
 * effect, as the caller was told, get a key of their own and run again; the others do not.
 * @throws the error that refused the first round; a later refusal is an interruption (R119)
 */
export async function collectAccounts(
  bridge: Bridge,
  call: ServiceCall,
  identity: CallIdentity,
  context: ToolContext,
): Promise<Collected> {
  const lines = new AccountLines();
  const batches = batchesOf(bridge, call, identity);
  const interruptions = await Promise.all(
    batches.map((batch) => collectBatch(bridge, call, batch, lines, context)),
  );
  if (batches.length > 1) lines.sort();
  return { lines, interruption: interruptions.find((one) => one !== undefined) };
}

function batchesOf({ keys }: Bridge, call: ServiceCall, identity: CallIdentity): Batch[] {
  const key = keys.keyFor(identity);
  const reruns = keys.rerunsOf(identity, readsOn(call.view));
  const rerun = new Set([...reruns.values()].flat());
  const isAsked = (id: string) => call.bankAccountIds?.includes(id) ?? true;
  const again = [...reruns].flatMap(([run, accounts]) => {
    const ids = accounts.filter(isAsked);
    const covers = (id: string) => ids.includes(id);
    return ids.length === 0 ? [] : [{ key: `${key}-${run}`, ids, covers }];
  });
  const first = call.bankAccountIds?.filter((id) => !rerun.has(id));
  const base = { key, ids: first, covers: (id: string) => !rerun.has(id) };
  return first?.length === 0 ? again : [base, ...again];
}

async function collectBatch(
  { client }: Bridge,
  { action, accountLinkId, params, view, waitSeconds: wanted }: ServiceCall,
  { key, ids, covers }: Batch,
  lines: AccountLines,
  context: ToolContext,
): Promise<Interruption | undefined> {
  const waitSeconds = readsOn(view) ? 0 : wanted;
  const steps = client.jobs.allAccountsSteps(
    {
      action: action.id,
      accountLinkId,
      params,
      bankAccountCredentialIds: ids,
      batchKey: key,
    },
    {
      signal: context.signal,
      timeoutMs: waitSeconds * 1000,
      graceMs: waitSeconds === 0 ? REQUEST_LIMIT_MS : GRACE_MS,
      totalTimeoutMs: REQUEST_LIMIT_MS,
      whenFull: 'return',
    },
  );
  try {
    return await follow(steps, lines, covers, context);
  } catch (error) {
    // The caller is gone: the lines stay as they are, and the jobs continue.
    if (isChangguError(error) && error.name === 'AbortError') return undefined;
    throw error;
  }
}

async function follow(
  steps: AsyncIterable<AllAccountsStep>,
  lines: AccountLines,
  covers: (bankAccountId: string) => boolean,
  context: ToolContext,
): Promise<Interruption | undefined> {
  let hasRound = false;
  for await (const step of steps) {
    let ended: AccountLine | null = null;
    switch (step.type) {
      case 'round':
        hasRound = true;
        lines.take(step, covers);
        break;
      case 'account':
        if (step.reading && isEndState(step.reading.status)) {
          const end = { job: step.reading, result: step.result, error: step.error };
          ended = lines.end(step.jobId, end);
        }
        break;
      case 'end':
        if (step.error && !hasRound) throw step.error;
        return step.error ? interruptionBy(step.error) : (step.interruption ?? undefined);
    }
    tell(lines, ended, context);
  }
  return undefined;
}

function interruptionBy({ code, message }: { code: string; message: string }): Interruption {
  return { code, reason: null, message };
}

const ENDS: Readonly<Record<string, string>> = {
  SUCCEEDED: '성공',
  FAILED: '실패',
  TIMEOUT: '시간 초과',
  CANCELED: '취소',
};

/** How many accounts are done, and how the one that has just ended did. */
function tell(lines: AccountLines, ended: AccountLine | null, { progress }: ToolContext): void {
  const total = lines.all.length;
  const done = lines.endedCount;
  const how = ended && ` (${ended.maskedAccountNo} ${ENDS[ended.status] ?? ended.status})`;
  const message = `계좌 ${total}개 중 ${done}개 완료${how ?? ''}`;
  progress.report((100 * done) / Math.max(total, 1), message);
}
