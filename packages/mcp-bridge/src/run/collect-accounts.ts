import {
  type AllAccountsStep,
  type ChangguError,
  type Interruption,
  isChangguError,
  isEndState,
} from '@changgu/sdk';
import { readsOn } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import type { ToolContext } from '../tools/tool.ts';
import { type AccountLine, AccountLines } from './account-lines.ts';
import type { ServiceCall } from './service-call.ts';
import type { CallIdentity, KnownLine } from './submission-keys.ts';

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

/** What became of a batch. */
interface BatchEnd {
  /** Why it stopped midway. */
  readonly interruption?: Interruption | undefined;
  /** Why no account of it was submitted. */
  readonly refusal?: ChangguError | undefined;
}

/** For one request, including retries and pauses. */
const REQUEST_LIMIT_MS = 15_000;
/** Reserved for reading jobs that ended at the last moment. */
const GRACE_MS = 4_000;

/**
 * Submits the accounts and waits for their jobs until all have ended or the time is up. The call's key applies to
 * each account, so a repeated call finds its own jobs, also from another process. Accounts whose job failed without
 * effect, as the caller was told, get a key of their own and run again; the others do not.
 * A call that reads on waits for nothing: it finds the jobs, and leaves their results to the page that shows them.
 * @throws the error that refused every account, unless the call reads on and knows them; any other is an interruption
 */
export async function collectAccounts(
  bridge: Bridge,
  call: ServiceCall,
  identity: CallIdentity,
  context: ToolContext,
): Promise<Collected> {
  const lines = new AccountLines();
  const known = bridge.keys.linesOf(identity).filter((line) => isAsked(call, line.bankAccountId));
  const isReading = readsOn(call.view);
  const isKnown = isReading && known.length > 0;
  if (isKnown) lines.takeKnown(known);
  const begun = bridge.keys.begunOf(identity);
  const wanted = batchesOf(bridge, call, identity);
  const batches = isKnown ? wanted.flatMap((batch) => begunPart(batch, begun)) : wanted;
  const submit = isReading ? findBatch : collectBatch;
  const ends = await Promise.all(
    batches.map((batch) => submit(bridge, call, batch, lines, context)),
  );
  const interruption = settle(batches, ends, lines, { known, needsAnswer: !isKnown });
  if (wanted.length > 1) lines.sort();
  return { lines, interruption };
}

/** Adds the accounts of refused batches as they were last seen. @returns why the call is not complete */
function settle(
  batches: readonly Batch[],
  ends: readonly BatchEnd[],
  lines: AccountLines,
  { known, needsAnswer }: { readonly known: readonly KnownLine[]; readonly needsAnswer: boolean },
): Interruption | undefined {
  const refusals = ends.flatMap(({ refusal }) => refusal ?? []);
  const [first] = refusals;
  if (first && needsAnswer && refusals.length === batches.length) throw first;
  batches.forEach(({ covers }, at) => {
    if (!ends[at]?.refusal) return;
    lines.takeKnown(known.filter(({ bankAccountId }) => covers(bankAccountId)));
  });
  const interruption = ends.find((end) => end.interruption)?.interruption;
  return interruption ?? (first && interruptionBy(first));
}

function batchesOf({ keys }: Bridge, call: ServiceCall, identity: CallIdentity): Batch[] {
  const key = keys.keyFor(identity);
  const reruns = keys.rerunsOf(identity, readsOn(call.view));
  const rerun = new Set([...reruns.values()].flat());
  const again = [...reruns].flatMap(([run, accounts]) => {
    const ids = accounts.filter((id) => isAsked(call, id));
    const covers = (id: string) => ids.includes(id);
    return ids.length === 0 ? [] : [{ key: `${key}-${run}`, ids, covers }];
  });
  const first = call.bankAccountIds?.filter((id) => !rerun.has(id));
  const base = { key, ids: first, covers: (id: string) => isAsked(call, id) && !rerun.has(id) };
  return first?.length === 0 ? again : [base, ...again];
}

function isAsked({ bankAccountIds }: ServiceCall, id: string): boolean {
  return bankAccountIds?.includes(id) ?? true;
}

/** Of a batch, the accounts that have a job: asked for under their key, they are found and no other is submitted. */
function begunPart(batch: Batch, begun: ReadonlySet<string>): Batch[] {
  const ids = [...begun].filter(batch.covers);
  return ids.length === 0 ? [] : [{ ...batch, ids }];
}

function requestOf({ action, accountLinkId, params }: ServiceCall, { key, ids }: Batch) {
  return {
    action: action.id,
    accountLinkId,
    params,
    bankAccountCredentialIds: ids,
    batchKey: key,
  };
}

/** The jobs of earlier calls, by one round. */
async function findBatch(
  { client }: Bridge,
  call: ServiceCall,
  batch: Batch,
  lines: AccountLines,
  { signal }: ToolContext,
): Promise<BatchEnd> {
  const options = { signal, totalTimeoutMs: REQUEST_LIMIT_MS };
  try {
    for await (const round of client.jobs.allAccountsRounds(requestOf(call, batch), options)) {
      lines.take(round, batch.covers);
      return { interruption: round.interruption };
    }
    return {};
  } catch (error) {
    return endBy(error);
  }
}

/** Submits a batch and waits for its jobs. */
async function collectBatch(
  { client }: Bridge,
  call: ServiceCall,
  batch: Batch,
  lines: AccountLines,
  context: ToolContext,
): Promise<BatchEnd> {
  const { waitSeconds } = call;
  const steps = client.jobs.allAccountsSteps(requestOf(call, batch), {
    signal: context.signal,
    timeoutMs: waitSeconds * 1000,
    graceMs: waitSeconds === 0 ? REQUEST_LIMIT_MS : GRACE_MS,
    totalTimeoutMs: REQUEST_LIMIT_MS,
    whenFull: 'return',
  });
  try {
    return await follow(steps, lines, batch.covers, context);
  } catch (error) {
    return endBy(error);
  }
}

function endBy(error: unknown): BatchEnd {
  if (!isChangguError(error)) throw error;
  // The caller is gone: the lines stay as they are, and the jobs continue.
  return error.name === 'AbortError' ? {} : { refusal: error };
}

async function follow(
  steps: AsyncIterable<AllAccountsStep>,
  lines: AccountLines,
  covers: (bankAccountId: string) => boolean,
  context: ToolContext,
): Promise<BatchEnd> {
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
          const { jobId, reading, result, error } = step;
          const failed = reading.status === 'SUCCEEDED' ? null : reading;
          ended = lines.end(jobId, reading.status, { failed, result, error });
        }
        break;
      case 'end':
        if (!step.error) return { interruption: step.interruption ?? undefined };
        if (!hasRound) return { refusal: step.error };
        lines.interrupt(covers);
        return { interruption: interruptionBy(step.error) };
    }
    tell(lines, ended, context);
  }
  return {};
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
