import { isEndState, LINE_STATES } from '@changgu/contract';
import { type CatalogueAction, RESULT_BUDGET, type ResultView } from '@changgu/contract/catalogue';
import type { AllAccountsLine } from '@changgu/contract/schemas';
import type { CallToolResult } from '@modelcontextprotocol/server';
import pLimit from 'p-limit';
import { readJob } from '../../jobs/read.ts';
import { jobAccess } from '../../requests/access.ts';
import type { Language } from '../../requests/language.ts';
import type { Caller } from '../caller.ts';
import { type JobOutcome, jobOutcome, type OutcomeDependencies } from '../job-outcome.ts';
import { playNote } from '../play-note.ts';
import type { ToolCall } from '../tools/arguments.ts';
import { callOf } from '../tools/listed-tools.ts';
import { toolResult } from '../tools/tool-result.ts';
import { type AccountsState, RETRY_SECONDS } from './accounts-state.ts';
import { linesDone, STATUS_WORDS } from './line-words.ts';
import { type CallFor, nextFailedOf, nextOf } from './next-calls.ts';

type Outcome =
  | JobOutcome
  | { readonly status: 'NOT_SUBMITTED'; readonly reason: NonNullable<AllAccountsLine['reason']> };

/** A line of the tool protocol (spec "Line fields"). */
type ToolLine = Pick<
  AllAccountsLine,
  'bank_account_credential_id' | 'masked_account_no' | 'job_id'
> &
  Outcome;

interface AccountsCallResult {
  readonly action: CatalogueAction;
  readonly call: ToolCall;
  readonly state: AccountsState;
}

const RESULTS_AT_A_TIME = 8;
/** Reserved for what surrounds the data of a line. */
const LINES_SHARE = 0.8;

/** The all-accounts result body (spec L395). */
export async function accountsResult(
  dependencies: OutcomeDependencies,
  caller: Caller,
  { action, call, state }: AccountsCallResult,
): Promise<CallToolResult> {
  const limit = pLimit(RESULTS_AT_A_TIME);
  // All lines together form one answer.
  const budget = Math.floor((RESULT_BUDGET * LINES_SHARE) / Math.max(state.lines.length, 1));
  const shown = { view: call.view, budget };
  const lines = await Promise.all(
    state.lines.map((line) => limit(() => toolLine(dependencies, caller, line, shown))),
  );
  const link = call.accountLinkId === null ? {} : { account_link_id: call.accountLinkId };
  const callFor: CallFor = (ids) =>
    callOf(dependencies.institutions, caller, action, call.params, {
      ...link,
      bank_account_credential_ids: ids,
    });
  const body = {
    all_accounts: true,
    summary: summaryOf(lines, caller.language),
    accounts: lines,
    next: nextOf(callFor, state, caller.language),
    ...nextFailedOf(callFor, failedOf(lines), caller.language),
    ...progressOf(lines, caller.language),
    ...(state.interruption === undefined ? {} : { interruption: state.interruption }),
    ...playNote(caller),
  };
  return toolResult(body, failureText(lines, caller.language));
}

async function toolLine(
  dependencies: OutcomeDependencies,
  caller: Caller,
  line: AllAccountsLine,
  { view, budget }: { readonly view: ResultView; readonly budget: number },
): Promise<ToolLine> {
  const { bank_account_credential_id, masked_account_no, job_id } = line;
  const facts = { bank_account_credential_id, masked_account_no, job_id };
  if (job_id === null) {
    return { ...facts, status: 'NOT_SUBMITTED', reason: line.reason ?? 'interrupted' };
  }
  const access = jobAccess(caller.principal, caller.envScope);
  const job = await readJob(dependencies.store, access, job_id);
  const outcome = await jobOutcome(dependencies, caller, job, view, budget);
  return { ...facts, ...withoutProgress(outcome) };
}

/** A line contains what its status calls for; its job reports the progress. */
function withoutProgress(outcome: JobOutcome): JobOutcome {
  if (!('progress' in outcome)) return outcome;
  const { progress: _, ...line } = outcome;
  return line;
}

/** Null unless every line has ended and none succeeded (spec L403, R118). */
function failureText(lines: readonly ToolLine[], language: Language): string | null {
  const failed = lines.every(({ status }) => isEndState(status) && status !== 'SUCCEEDED');
  if (!failed) return null;
  const [message] = lines.flatMap((line) => ('error' in line ? [line.error.message] : []));
  if (message !== undefined) return message;
  return {
    ko: `계좌 ${lines.length}개의 작업이 모두 실패했습니다.`,
    en: `The jobs of all ${lines.length} accounts failed.`,
  }[language];
}

/** One line of text with the number of accounts in each status. */
function summaryOf(lines: readonly ToolLine[], language: Language): string {
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
function progressOf(lines: readonly ToolLine[], language: Language) {
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
