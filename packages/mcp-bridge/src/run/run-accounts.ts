import { freesKey, type LinePage, pageOfLines, readsOn, viewOfLine } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import type { Envelope, JobProgress, NextStep } from '../results/envelope.ts';
import { explain, explainThrown, stepTo } from '../results/explain-error.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { AccountLine } from './account-lines.ts';
import { type Collected, collectAccounts } from './collect-accounts.ts';
import { failedJob, PLAY, succeededJob } from './job-envelope.ts';
import { rejectedCredential } from './rejected-credential.ts';
import { reservedOf, type ServiceCall } from './service-call.ts';
import { identityOf } from './submit-once.ts';

interface LineView extends Readonly<Record<string, unknown>> {
  readonly bank_account_credential_id: string;
  readonly status: string;
}

/** A line, whether it is shown or not. */
type KnownLine = Pick<AccountLine, 'status'>;

/** One service on many bank accounts: one account's failure is an entry of its line and stops no other. */
export async function runAccounts(
  bridge: Bridge,
  call: ServiceCall,
  context: ToolContext,
): Promise<Envelope> {
  const identity = identityOf(bridge, call);
  const collected = await collectAccounts(bridge, call, identity, context);
  bridge.keys.rememberSent(identity, null);
  const { all } = collected.lines;
  if (!readsOn(call.view)) {
    for (const { bankAccountId, jobId } of all) {
      bridge.keys.rememberLine(identity, bankAccountId, jobId ?? '');
    }
  }
  const page = await pageOfLines(all, call.view.cursor ?? 0, (line, budget) =>
    viewOf(bridge, call, line, budget, context.signal),
  );
  return envelopeOf(bridge, call, identity.requestId ?? '', collected, page);
}

function envelopeOf(
  bridge: Bridge,
  call: ServiceCall,
  requestId: string,
  { interruption, lines }: Collected,
  { shown, nextCursor }: LinePage<LineView>,
): Envelope {
  const { all } = lines;
  const cursor = call.view.cursor ?? 0;
  const onPage = all.slice(cursor, cursor + shown.length);
  const open = onPage.filter(({ ended }) => ended === null).map((line) => line.bankAccountId);
  const failed = onPage.filter(mayRunAgain).map((line) => line.bankAccountId);
  const stepFor = (ids: readonly string[], why: string) => {
    const again = { ...reservedOf(call), bank_account_credential_ids: ids, request_id: requestId };
    return ids.length === 0 ? [] : [stepTo(bridge, call.action.id, again, why, call.params)];
  };
  const next = [
    ...stepFor(open, 'continues with the open accounts'),
    ...stepFor(failed, 'runs the failed accounts again, once the cause is settled'),
    ...(nextCursor === null ? [] : [nextPage(bridge, call, requestId, all, nextCursor)]),
  ];
  const warnings = bridge.settings.envScope === 'sandbox' ? [PLAY] : [];
  const stop =
    interruption &&
    explain(bridge, {
      code: interruption.code,
      said: interruption.message,
    });
  return {
    status: statusOf(all),
    service: call.action.id,
    as_of: timestamp(bridge.clock),
    ...(isOver(all) ? {} : { progress: progressOf(all) }),
    data: {
      summary: summaryOf(all),
      accounts: shown,
      ...(stop ? { interruption: stop.error } : {}),
    },
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(next.length === 0 ? {} : { next }),
  };
}

/** Accounts that the caller named are named again, up to this many; there is room for no more. */
const MAX_NAMED = 20;

/** The call that shows further lines of the same jobs. */
function nextPage(
  bridge: Bridge,
  call: ServiceCall,
  request_id: string,
  lines: readonly AccountLine[],
  cursor: number,
): NextStep {
  const rest = lines.slice(cursor, cursor + MAX_NAMED).map((line) => line.bankAccountId);
  const selection = call.bankAccountIds
    ? { bank_account_credential_ids: rest, view: { ...call.view, cursor: 0 } }
    : { all_accounts: true, view: { ...call.view, cursor } };
  const reserved = { ...reservedOf(call), ...selection, request_id };
  const unnamed = call.bankAccountIds ? lines.length - cursor - rest.length : 0;
  const more = `; call in the same way with the ids that you named for the ${unnamed} others`;
  const why = `shows the accounts after the first ${cursor} of ${lines.length}${unnamed === 0 ? '' : more}`;
  return stepTo(bridge, call.action.id, reserved, why, call.params);
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
  const { accountLinkId } = line;
  const view = { action, accountLinkId, saveFiles: false, budget, data: viewOfLine(data) };
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

function statusOf(lines: readonly KnownLine[]): string {
  if (!isOver(lines)) return 'RUNNING';
  if (!lines.some(isFailed)) return 'SUCCEEDED';
  return lines.every(isFailed) ? 'FAILED' : 'PARTIAL';
}

const RETRY_SECONDS = 2;

function progressOf(lines: readonly KnownLine[]): JobProgress {
  const done = lines.filter((line) => line.status === 'SUCCEEDED' || isFailed(line)).length;
  return {
    percent: Math.floor((100 * done) / Math.max(lines.length, 1)),
    message: `계좌 ${lines.length}개 중 ${done}개 완료`,
    retry_after_seconds: RETRY_SECONDS,
  };
}

/** Numbers per state, in the order of first appearance. */
function summaryOf(lines: readonly KnownLine[]): string {
  const counts = new Map<string, number>();
  for (const { status } of lines) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${status} ${count}`);
  return `${lines.length} accounts: ${parts.join(', ')}`;
}

function isOver(lines: readonly KnownLine[]): boolean {
  return lines.every((line) => line.status === 'SUCCEEDED' || isFailed(line));
}

function isFailed({ status }: KnownLine): boolean {
  return ['FAILED', 'TIMEOUT', 'CANCELED'].includes(status);
}
