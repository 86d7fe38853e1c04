import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import type { Envelope } from '../results/envelope.ts';
import { explain, explainThrown, stepTo } from '../results/explain-error.ts';
import { RESULT_BUDGET } from '../results/fit-size.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { AccountLine } from './account-lines.ts';
import { type Collected, collectAccounts } from './collect-accounts.ts';
import { failedJob, succeededJob } from './job-envelope.ts';
import { reservedOf, type ServiceCall } from './service-call.ts';
import type { CallIdentity } from './submission-keys.ts';
import { identityOf } from './submit-once.ts';

type LineView = Readonly<Record<string, unknown>> & { readonly status: string };

/** Below this many characters a line shows no data, only where it is. */
const LEAST_LINE_BUDGET = 400;
const MANY_LINES = 'Too many accounts to show their data: call job_result with a job_id.';
const READ_LIMIT_MS = 4_000;

/** One service on many bank accounts: a failure of one is an entry of its line, and stops no other. */
export async function runAccounts(
  bridge: Bridge,
  call: ServiceCall,
  context: ToolContext,
): Promise<Envelope> {
  const identity: CallIdentity = {
    ...identityOf(call),
    request: { ...call.params, link: call.accountLinkId ?? null, ids: call.bankAccountIds ?? null },
  };
  const requestId = call.requestId ?? `auto-${bridge.keys.keyFor(identity)}`;
  const batchKey = bridge.keys.keyFor({ ...identity, requestId });
  const collected = await collectAccounts(bridge, call, batchKey, context);
  const all = collected.lines.all;
  const lineBudget = lineBudgetOf(all.length);
  const views = await Promise.all(
    all.map((line) => viewOf(bridge, call, line, lineBudget, context.signal)),
  );
  if (isOver(views) && views.some(isFailed)) bridge.keys.forget(identity);
  return envelopeOf(bridge, call, requestId, collected, views);
}

function envelopeOf(
  bridge: Bridge,
  call: ServiceCall,
  requestId: string,
  { interruption, lines }: Collected,
  views: readonly LineView[],
): Envelope {
  const open = lines.all.filter(({ ended }) => ended === null).map((line) => line.bankAccountId);
  const again = { ...reservedOf(call), bank_account_credential_ids: open, request_id: requestId };
  const stop =
    interruption &&
    explain(bridge, {
      code: interruption.code,
      said: interruption.message,
    });
  return {
    status: statusOf(views),
    service: call.action.id,
    as_of: timestamp(bridge.clock),
    data: {
      summary: summaryOf(views),
      accounts: views,
      ...(stop ? { interruption: stop.error } : {}),
    },
    ...(lineBudgetOf(views.length) < LEAST_LINE_BUDGET ? { warnings: [MANY_LINES] } : {}),
    ...(open.length === 0
      ? {}
      : {
          next: [
            stepTo(bridge, call.action.id, again, 'goes on with the open accounts', call.params),
          ],
        }),
  };
}

async function viewOf(
  bridge: Bridge,
  { action }: ServiceCall,
  line: AccountLine,
  budget: number,
  signal: AbortSignal,
): Promise<LineView> {
  const head = {
    bank_account_credential_id: line.bankAccountId,
    masked_account_no: line.maskedAccountNo,
    status: line.status,
    ...(line.jobId === null ? {} : { job_id: line.jobId }),
  };
  if (!line.ended) return line.reason === null ? head : { ...head, reason: line.reason };
  const view = { action, accountLinkId: line.accountLinkId, saveFiles: false, budget };
  if (line.ended.status !== 'SUCCEEDED') {
    const { error, next } = failedJob(bridge, line.ended, view);
    return { ...head, error, ...(next ? { next } : {}) };
  }
  const where = {
    next: [
      { tool: 'job_result', arguments: { job_id: line.jobId }, why: 'all rows and the files' },
    ],
  };
  if (budget < LEAST_LINE_BUDGET) return head;
  try {
    const result = await bridge.client.jobs.result(line.ended.jobId, {
      totalTimeoutMs: READ_LIMIT_MS,
    });
    const shown = await succeededJob(bridge, result, action.id, view, signal);
    return {
      ...head,
      data: shown.data,
      ...(shown.warnings ? { warnings: shown.warnings } : {}),
      ...(shown.warnings || shown.files ? where : {}),
    };
  } catch (error) {
    return { ...head, warnings: [explainThrown(bridge, error).error.message], ...where };
  }
}

/** Characters of JSON for the data of one of so many lines. */
function lineBudgetOf(lines: number): number {
  return Math.floor((RESULT_BUDGET * 0.8) / Math.max(lines, 1));
}

function statusOf(views: readonly LineView[]): string {
  if (!isOver(views)) return 'RUNNING';
  if (!views.some(isFailed)) return 'SUCCEEDED';
  return views.every(isFailed) ? 'FAILED' : 'PARTIAL';
}

/** Counts per state, in the order of first appearance. */
function summaryOf(views: readonly LineView[]): string {
  const counts = new Map<string, number>();
  for (const { status } of views) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${status} ${count}`);
  return `${views.length} accounts: ${parts.join(', ')}`;
}

function isOver(views: readonly LineView[]): boolean {
  return views.every((view) => view.status === 'SUCCEEDED' || isFailed(view));
}

function isFailed({ status }: LineView): boolean {
  return ['FAILED', 'TIMEOUT', 'CANCELED'].includes(status);
}
