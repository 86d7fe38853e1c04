import { isEndState, LINE_STATES } from '@changgu/contract';
import {
  type CatalogueAction,
  pageOfLines,
  type ResultView,
  viewOfLine,
} from '@changgu/contract/catalogue';
import type { AllAccountsLine } from '@changgu/contract/schemas';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { RETRY_SECONDS } from '../../jobs/all-accounts/answer.ts';
import { readJob } from '../../jobs/read.ts';
import { jobAccess } from '../../requests/access.ts';
import type { Language } from '../../requests/language.ts';
import { isStoreAway } from '../../rules/service-error.ts';
import { type Caller, knownFailure } from '../caller.ts';
import {
  type JobOutcome,
  jobOutcome,
  type OutcomeDependencies,
  resultToolCall,
} from '../job-outcome.ts';
import { playNote } from '../play-note.ts';
import type { ToolCall } from '../tools/arguments.ts';
import { callOf } from '../tools/listed-tools.ts';
import { toolResult } from '../tools/tool-result.ts';
import type { AccountsState } from './accounts-state.ts';
import { linesDone, STATUS_WORDS } from './line-words.ts';
import { type CallFor, nextFailedOf, nextOf, nextPageOf, pageCalls } from './next-calls.ts';

type Outcome =
  | JobOutcome
  | { readonly status: 'NOT_SUBMITTED'; readonly reason: NonNullable<AllAccountsLine['reason']> };

/** A line of the tool protocol. */
type ToolLine = Pick<
  AllAccountsLine,
  'bank_account_credential_id' | 'masked_account_no' | 'job_id'
> &
  Outcome;

/** Of every line, whether it is shown or not. */
type KnownLine = Pick<AllAccountsLine, 'status'>;

interface AccountsCallResult {
  readonly action: CatalogueAction;
  readonly call: ToolCall;
  readonly state: AccountsState;
}

/** The all-accounts result body: the lines that fit, and the sums of all. */
export async function accountsResult(
  dependencies: OutcomeDependencies,
  caller: Caller,
  { action, call, state }: AccountsCallResult,
): Promise<CallToolResult> {
  const { view, accountLinkId, params } = call;
  const { cursor = 0 } = view;
  const reading = { view: viewOfLine(view), isStoreAway: false };
  const { shown, nextCursor } = await pageOfLines(state.lines, cursor, (line, budget) =>
    toolLine(dependencies, caller, line, { reading, budget }),
  );
  // A job may have ended since the call stopped watching it.
  const all = state.lines.map((line, at) => shown[at - cursor] ?? line);
  const callWith = (reserved: Readonly<Record<string, unknown>>) =>
    callOf(dependencies.institutions, caller, action, params, {
      ...(accountLinkId === null ? {} : { account_link_id: accountLinkId }),
      ...reserved,
    });
  const callFor: CallFor = (ids) => callWith({ bank_account_credential_ids: ids });
  const pageFrom = pageCalls(callWith, call, state);
  const page = { lines: all, cursor, shown: shown.length };
  const body = {
    all_accounts: true,
    summary: summaryOf(all, caller.language),
    accounts: shown,
    next: nextOf(callFor, pageFrom, page, state, caller.language),
    ...nextFailedOf(callFor, failedOf(shown), caller.language),
    ...nextPageOf(pageFrom, state, nextCursor, caller.language),
    ...progressOf(all, caller.language),
    ...(state.interruption === undefined ? {} : { interruption: state.interruption }),
    ...playNote(caller),
  };
  return toolResult(body, failureText(all, shown, caller.language));
}

interface Reading {
  readonly view: ResultView;
  /** Each further line would wait for it as long as the first did. */
  isStoreAway: boolean;
}

async function toolLine(
  dependencies: OutcomeDependencies,
  caller: Caller,
  line: AllAccountsLine,
  { reading, budget }: { readonly reading: Reading; readonly budget: number },
): Promise<ToolLine> {
  const { bank_account_credential_id, masked_account_no, job_id } = line;
  const facts = { bank_account_credential_id, masked_account_no, job_id };
  if (job_id === null) {
    return { ...facts, status: 'NOT_SUBMITTED', reason: line.reason ?? 'interrupted' };
  }
  // The other lines are shown all the same, and this one can be read alone.
  const status = line.status === 'QUEUED' ? 'QUEUED' : 'RUNNING';
  const unread = { ...facts, status, result_tool_call: resultToolCall(job_id) } as const;
  if (reading.isStoreAway) return unread;
  try {
    const access = jobAccess(caller.principal, caller.envScope);
    const job = await readJob(dependencies.store, access, job_id);
    const outcome = await jobOutcome(dependencies, caller, job, reading.view, budget);
    return { ...facts, ...withoutProgress(outcome) };
  } catch (failure) {
    if (isStoreAway(knownFailure(caller, failure))) reading.isStoreAway = true;
    return unread;
  }
}

/** A line contains what its status calls for; its job reports the progress. */
function withoutProgress(outcome: JobOutcome): JobOutcome {
  if (!('progress' in outcome)) return outcome;
  const { progress: _, ...line } = outcome;
  return line;
}

/** Null unless every line has ended and none succeeded. */
function failureText(
  lines: readonly KnownLine[],
  shown: readonly ToolLine[],
  language: Language,
): string | null {
  const failed = lines.every(({ status }) => isEndState(status) && status !== 'SUCCEEDED');
  if (!failed) return null;
  const [message] = shown.flatMap((line) => ('error' in line ? [line.error.message] : []));
  if (message !== undefined) return message;
  return {
    ko: `계좌 ${lines.length}개의 작업이 모두 실패했습니다.`,
    en: `The jobs of all ${lines.length} accounts failed.`,
  }[language];
}

/** One line of text with the number of accounts in each status. */
function summaryOf(lines: readonly KnownLine[], language: Language): string {
  const counts = LINE_STATES.flatMap((state) => {
    const count = lines.filter(({ status }) => status === state).length;
    return count === 0 ? [] : [`${STATUS_WORDS[language][state]} ${count}`];
  });
  const all = { ko: `계좌 ${lines.length}개`, en: `${lines.length} accounts` }[language];
  return `${all}: ${counts.join(', ')}`;
}

/** Accounts that may be read again. */
function failedOf(lines: readonly ToolLine[]): string[] {
  return lines.flatMap((line) =>
    'error' in line && line.error.safe_to_retry ? [line.bank_account_credential_id] : [],
  );
}

/** Absent when no job is under way. */
function progressOf(lines: readonly KnownLine[], language: Language) {
  if (!lines.some(({ status }) => status === 'QUEUED' || status === 'RUNNING')) return {};
  const done = lines.filter(({ status }) => isEndState(status)).length;
  return {
    progress: {
      percent: Math.floor((100 * done) / lines.length),
      message: linesDone(done, lines.length, language),
      retry_after_seconds: RETRY_SECONDS,
    },
  };
}
