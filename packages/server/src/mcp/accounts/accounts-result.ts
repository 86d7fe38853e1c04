import { isEndState, LINE_STATES } from '@changgu/contract';
import type { CatalogueAction, ResultView } from '@changgu/contract/catalogue';
import type { AllAccountsLine } from '@changgu/contract/schemas';
import type { CallToolResult } from '@modelcontextprotocol/server';
import pLimit from 'p-limit';
import { readJob } from '../../jobs/read.ts';
import { jobAccess } from '../../requests/access.ts';
import type { Language } from '../../requests/language.ts';
import type { Caller } from '../caller.ts';
import { type JobOutcome, jobOutcome, RESULT_BUDGET } from '../job-outcome.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';
import type { ToolCall } from '../tools/arguments.ts';
import { toolNameOf } from '../tools/tool-names.ts';
import { toolResult } from '../tools/tool-result.ts';
import { type AccountsState, unsubmittedAccounts } from './accounts-state.ts';

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
  dependencies: Pick<McpDependencies, 'store' | 'results' | 'submissions'>,
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
  const body = {
    all_accounts: true,
    summary: summaryOf(lines, caller.language),
    accounts: lines,
    next: nextOf(action, call, state, caller.language),
    ...(state.interruption === undefined ? {} : { interruption: state.interruption }),
  };
  return toolResult(body, failureText(lines, caller.language));
}

async function toolLine(
  dependencies: Pick<McpDependencies, 'store' | 'results' | 'submissions'>,
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
  const [message] = lines.flatMap((line) =>
    'error' in line && line.error.message !== null ? [line.error.message] : [],
  );
  if (message !== undefined) return message;
  return {
    ko: `계좌 ${lines.length}개의 작업이 모두 실패했습니다.`,
    en: `The jobs of all ${lines.length} accounts failed.`,
  }[language];
}

const STATUS_WORDS: Readonly<Record<Language, Readonly<Record<ToolLine['status'], string>>>> = {
  ko: {
    SUCCEEDED: '성공',
    FAILED: '실패',
    TIMEOUT: '시간 초과',
    CANCELED: '취소',
    RUNNING: '실행 중',
    QUEUED: '대기 중',
    NOT_SUBMITTED: '제출되지 않음',
  },
  en: {
    SUCCEEDED: 'succeeded',
    FAILED: 'failed',
    TIMEOUT: 'timed out',
    CANCELED: 'cancelled',
    RUNNING: 'running',
    QUEUED: 'queued',
    NOT_SUBMITTED: 'not submitted',
  },
};

/** One line of text with the number of accounts in each status. */
function summaryOf(lines: readonly ToolLine[], language: Language): string {
  const counts = LINE_STATES.flatMap((state) => {
    const count = lines.filter(({ status }) => status === state).length;
    return count === 0 ? [] : [`${STATUS_WORDS[language][state]} ${count}`];
  });
  const all = { ko: `계좌 ${lines.length}개`, en: `${lines.length} accounts` }[language];
  return `${all}: ${counts.join(', ')}`;
}

/** The call for the remaining accounts, under its own key (R120). Null when none remain. */
function nextOf(action: CatalogueAction, call: ToolCall, state: AccountsState, language: Language) {
  const ids = unsubmittedAccounts(state);
  if (ids.length === 0) return null;
  return {
    tool_call: {
      name: toolNameOf(action.id),
      arguments: {
        ...call.params,
        ...(call.accountLinkId === null ? {} : { account_link_id: call.accountLinkId }),
        bank_account_credential_ids: ids,
      },
    },
    message: nextMessage(ids.length, state, language),
  };
}

function nextMessage(count: number, state: AccountsState, language: Language): string {
  const { retryAfterSeconds: seconds, interruption } = state;
  const stopped = interruption !== undefined;
  return {
    ko: `${stopped ? '먼저 중단된 원인을 해결해 주십시오. ' : ''}제출되지 않은 계좌가 ${count}개 있습니다. ${seconds}초 뒤에 tool_call의 도구를 그 인수로 호출해 주십시오.`,
    en: `${stopped ? 'Fix the cause of the interruption first. ' : ''}${count} accounts were not submitted. After ${seconds} seconds make the call in tool_call.`,
  }[language];
}
