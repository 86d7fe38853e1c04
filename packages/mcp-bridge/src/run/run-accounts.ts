import { isEndState } from '@changgu/sdk';
import {
  freesKey,
  type LinePage,
  namedAgain,
  pageOfLines,
  readsOn,
  viewOfLine,
} from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import type { Envelope, JobProgress, NextStep } from '../results/envelope.ts';
import { explain, explainThrown, stepTo } from '../results/explain-error.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { AccountLine } from './account-lines.ts';
import { type Collected, collectAccounts } from './collect-accounts.ts';
import { failedJob, PLAY, succeededJob } from './job-envelope.ts';
import { lineReader } from './line-reader.ts';
import { rejectedCredential } from './rejected-credential.ts';
import { reservedOf, type ServiceCall } from './service-call.ts';
import { identityOf } from './submit-once.ts';

interface LineView extends Readonly<Record<string, unknown>> {
  readonly bank_account_credential_id: string;
  readonly status: string;
}

/** A line, whether it is shown or not. */
type KnownLine = Pick<AccountLine, 'status'>;

/** For reading what ended at the last moment; a call that reads on has no wait before it. */
const READ_MS = { waited: 4_000, readsOn: 30_000 };

/** One service on many bank accounts: one account's failure is an entry of its line and stops no other. */
export async function runAccounts(
  bridge: Bridge,
  call: ServiceCall,
  context: ToolContext,
): Promise<Envelope> {
  const identity = identityOf(bridge, call);
  const until =
    bridge.clock.now() +
    (readsOn(call.view) ? READ_MS.readsOn : call.waitSeconds * 1_000 + READ_MS.waited);
  const collected = await collectAccounts(bridge, call, identity, context);
  bridge.keys.rememberSent(identity, null);
  const { all } = collected.lines;
  if (!readsOn(call.view)) {
    for (const line of all) bridge.keys.rememberLine(identity, line);
  }
  const { cursor = 0 } = call.view;
  const read = lineReader(bridge, until, context.signal);
  const page = await pageOfLines(all, cursor, async (line, budget) =>
    viewOf(bridge, call, await read(line), budget, context.signal),
  );
  const onPage = await Promise.all(all.slice(cursor, cursor + page.shown.length).map(read));
  return envelopeOf(bridge, call, identity.requestId ?? '', collected, { ...page, onPage });
}

/** The lines that are shown, and the same lines as they were read. */
interface Page extends LinePage<LineView> {
  readonly onPage: readonly AccountLine[];
}

function envelopeOf(
  bridge: Bridge,
  call: ServiceCall,
  requestId: string,
  { interruption, lines }: Collected,
  { shown, nextCursor, onPage }: Page,
): Envelope {
  const { all } = lines;
  const open = onPage.filter(({ status }) => !isEndState(status)).map((line) => line.bankAccountId);
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

/** The call that shows further lines of the same jobs. */
function nextPage(
  bridge: Bridge,
  call: ServiceCall,
  request_id: string,
  lines: readonly AccountLine[],
  cursor: number,
): NextStep {
  const again = call.bankAccountIds
    ? namedAgain(
        lines.map((line) => line.bankAccountId),
        cursor,
      )
    : null;
  const selection = again
    ? { bank_account_credential_ids: again.named, view: { ...call.view, cursor: 0 } }
    : { all_accounts: true, view: { ...call.view, cursor } };
  const reserved = { ...reservedOf(call), ...selection, request_id };
  const leftOut = again?.leftOut ?? 0;
  const more = `; call in the same way with the ids that you named for the ${leftOut} others`;
  const why = `shows the accounts after the first ${cursor} of ${lines.length}${leftOut === 0 ? '' : more}`;
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
  const where = {
    next: [
      { tool: 'job_result', arguments: { job_id: line.jobId }, why: 'all rows and the files' },
    ],
  };
  const { accountLinkId, end, reason } = line;
  if (!end) {
    const unread = isEndState(line.status) ? where : {};
    return { ...head, ...(reason === null ? {} : { reason }), ...unread };
  }
  const view = { action, accountLinkId, saveFiles: false, budget, data: viewOfLine(data) };
  if (end.failed) {
    const userAction = await rejectedCredential(bridge, end.failed, line);
    const { error, next, had_effect } = failedJob(bridge, end.failed, view, userAction);
    return { ...head, had_effect, error, ...(next ? { next } : {}) };
  }
  if (!end.result) return { ...head, warnings: [unreadWarning(bridge, end.error)], ...where };
  const shown = await succeededJob(bridge, end.result, action.id, view, signal);
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
function mayRunAgain({ end }: AccountLine): boolean {
  const job = end?.failed;
  return job ? freesKey(job) && job.error?.retryable === true : false;
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
