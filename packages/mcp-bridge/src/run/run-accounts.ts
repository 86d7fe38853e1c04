import { freesKey, RESULT_BUDGET } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import type { Envelope, JobProgress } from '../results/envelope.ts';
import { explain, explainThrown, stepTo } from '../results/explain-error.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { AccountLine } from './account-lines.ts';
import { type Collected, collectAccounts } from './collect-accounts.ts';
import { failedJob, PLAY, succeededJob } from './job-envelope.ts';
import { rejectedCredential } from './rejected-credential.ts';
import { reservedOf, type ServiceCall } from './service-call.ts';
import { identityOf } from './submit-once.ts';

type LineView = Readonly<Record<string, unknown>> & { readonly status: string };

/** With less room than this, a line shows no data, only where to find it. */
const MIN_LINE_BUDGET = 125;
const MANY_LINES = 'Too many accounts to show their data: call job_result with a job_id.';

/** One service on many bank accounts: one account's failure is an entry of its line and stops no other. */
export async function runAccounts(
  bridge: Bridge,
  call: ServiceCall,
  context: ToolContext,
): Promise<Envelope> {
  const identity = identityOf(bridge, call);
  const collected = await collectAccounts(bridge, call, identity, context);
  bridge.keys.rememberSent(identity, null);
  for (const { bankAccountId, jobId } of collected.lines.all) {
    bridge.keys.rememberLine(identity, bankAccountId, jobId ?? '');
  }
  const all = collected.lines.all;
  const lineBudget = lineBudgetOf(all.length);
  const views = await Promise.all(
    all.map((line) => viewOf(bridge, call, line, lineBudget, context.signal)),
  );
  return envelopeOf(bridge, call, identity.requestId ?? '', collected, views);
}

function envelopeOf(
  bridge: Bridge,
  call: ServiceCall,
  requestId: string,
  { interruption, lines }: Collected,
  views: readonly LineView[],
): Envelope {
  const open = lines.all.filter(({ ended }) => ended === null).map((line) => line.bankAccountId);
  const failed = lines.all.filter(mayRunAgain).map((line) => line.bankAccountId);
  const stepFor = (ids: readonly string[], why: string) => {
    const again = { ...reservedOf(call), bank_account_credential_ids: ids, request_id: requestId };
    return ids.length === 0 ? [] : [stepTo(bridge, call.action.id, again, why, call.params)];
  };
  const next = [
    ...stepFor(open, 'continues with the open accounts'),
    ...stepFor(failed, 'runs the failed accounts again, once the cause is settled'),
  ];
  const warnings = [
    ...(bridge.settings.envScope === 'sandbox' ? [PLAY] : []),
    ...(lineBudgetOf(views.length) < MIN_LINE_BUDGET ? [MANY_LINES] : []),
  ];
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
    ...(isOver(views) ? {} : { progress: progressOf(views) }),
    data: {
      summary: summaryOf(views),
      accounts: views,
      ...(stop ? { interruption: stop.error } : {}),
    },
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(next.length === 0 ? {} : { next }),
  };
}

async function viewOf(
  bridge: Bridge,
  { action, view: data }: ServiceCall,
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
  const view = { action, accountLinkId: line.accountLinkId, saveFiles: false, budget, data };
  const { job, result, error: unread } = line.ended;
  if (job.status !== 'SUCCEEDED') {
    const userAction = await rejectedCredential(bridge, job, line);
    const { error, next, had_effect } = failedJob(bridge, job, view, userAction);
    return { ...head, had_effect, error, ...(next ? { next } : {}) };
  }
  const where = {
    next: [
      { tool: 'job_result', arguments: { job_id: line.jobId }, why: 'all rows and the files' },
    ],
  };
  if (budget < MIN_LINE_BUDGET) return head;
  if (!result) return { ...head, warnings: [unreadWarning(bridge, unread)], ...where };
  const shown = await succeededJob(bridge, result, action.id, view, signal);
  return {
    ...head,
    data: shown.data,
    ...(shown.warnings ? { warnings: shown.warnings } : {}),
    ...(shown.warnings || shown.files ? where : {}),
  };
}

function unreadWarning(bridge: Bridge, error: unknown): string {
  return explainThrown(bridge, error).error.message;
}

/** Failed without effect, and not for a reason that a person has to resolve first. */
function mayRunAgain({ ended }: AccountLine): boolean {
  return ended !== null && freesKey(ended.job) && ended.job.error?.retryable === true;
}

/** The maximum tokens for the data of one of this many lines. */
function lineBudgetOf(lines: number): number {
  return Math.floor((RESULT_BUDGET * 0.8) / Math.max(lines, 1));
}

function statusOf(views: readonly LineView[]): string {
  if (!isOver(views)) return 'RUNNING';
  if (!views.some(isFailed)) return 'SUCCEEDED';
  return views.every(isFailed) ? 'FAILED' : 'PARTIAL';
}

const RETRY_SECONDS = 2;

function progressOf(views: readonly LineView[]): JobProgress {
  const done = views.filter((view) => view.status === 'SUCCEEDED' || isFailed(view)).length;
  return {
    percent: Math.floor((100 * done) / Math.max(views.length, 1)),
    message: `계좌 ${views.length}개 중 ${done}개 완료`,
    retry_after_seconds: RETRY_SECONDS,
  };
}

/** Numbers per state, in the order of first appearance. */
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
