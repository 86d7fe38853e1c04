import { namedAgain } from '@changgu/contract/catalogue';
import type { Language } from '../../requests/language.ts';
import type { ToolCall } from '../tools/arguments.ts';
import type { SuggestedCall } from '../tools/listed-tools.ts';
import { type AccountsState, unsubmittedAccounts } from './accounts-state.ts';

/** The call on other accounts, under its own key. */
export type CallFor = (accountIds: readonly string[]) => SuggestedCall;

/** The call that shows the same jobs from the line of this index on. */
export type PageFrom = (cursor: number) => {
  readonly tool_call: SuggestedCall;
  /** Accounts after those that the call names. */
  readonly leftOut: number;
};

interface Page {
  readonly lines: Parameters<typeof unsubmittedAccounts>[0]['lines'];
  /** Index of the first line that is shown. */
  readonly cursor: number;
  readonly shown: number;
}

/**
 * The call for those of the shown accounts that remain. Where only later ones remain, the call that shows them: it
 * submits none, because the answer to it names them, and one named twice would be charged twice. Null when none remain.
 */
export function nextOf(
  callFor: CallFor,
  pageFrom: PageFrom,
  { lines, cursor, shown }: Page,
  state: AccountsState,
  language: Language,
) {
  const end = cursor + shown;
  const ids = unsubmittedAccounts({ lines: lines.slice(cursor, end) });
  if (ids.length > 0) {
    return { tool_call: callFor(ids), message: nextMessage(ids.length, state, language) };
  }
  const first = lines.findIndex(({ status }, at) => at >= end && status === 'NOT_SUBMITTED');
  if (first < 0) return null;
  const { tool_call, leftOut } = pageFrom(first);
  return { tool_call, message: furtherMessage(first + 1, lines.length, leftOut, language) };
}

function furtherMessage(first: number, count: number, leftOut: number, language: Language): string {
  const message = {
    ko: `계좌 ${count}개 중 ${first}번째부터 제출되지 않은 계좌가 있습니다. tool_call의 도구를 그 인수로 호출하면 그 계좌와 이어서 제출하는 방법을 표시합니다.`,
    en: `From account ${first} of ${count} on there are accounts that were not submitted. Make the call in tool_call: it shows them and how to submit them.`,
  }[language];
  return message + leftOutMessage(leftOut, language);
}

function nextMessage(count: number, state: AccountsState, language: Language): string {
  const { retryAfterSeconds: seconds, interruption } = state;
  const stopped = interruption !== undefined;
  return {
    ko: `${stopped ? '먼저 중단된 원인을 해결하십시오. ' : ''}제출되지 않은 계좌가 ${count}개 있습니다. ${seconds}초 뒤에 tool_call의 도구를 그 인수로 호출하십시오.`,
    en: `${stopped ? 'Fix the cause of the interruption first. ' : ''}${count} accounts were not submitted. After ${seconds} seconds make the call in tool_call.`,
  }[language];
}

/** The call that runs failed accounts again. Absent when there are none that may run again. */
export function nextFailedOf(callFor: CallFor, ids: readonly string[], language: Language) {
  if (ids.length === 0) return {};
  const message = {
    ko: `실패한 계좌 가운데 ${ids.length}개는 다시 조회할 수 있습니다. error.next_action대로 한 뒤 tool_call의 도구를 그 인수로 호출하십시오.`,
    en: `${ids.length} of the failed accounts can be read again. Do what error.next_action says, then make the call in tool_call.`,
  }[language];
  return { next_failed: { tool_call: callFor(ids), message } };
}

export function pageCalls(
  callWith: (reserved: Readonly<Record<string, unknown>>) => SuggestedCall,
  { accounts, idempotencyKey, view }: ToolCall,
  { lines }: AccountsState,
): PageFrom {
  const ids = lines.map((line) => line.bank_account_credential_id);
  return (cursor) => {
    const again = accounts?.ids ? namedAgain(ids, cursor) : null;
    const selection = again
      ? { bank_account_credential_ids: again.named, view: { ...view, cursor: 0 } }
      : { all_accounts: true, view: { ...view, cursor } };
    return {
      tool_call: callWith({ ...selection, request_id: idempotencyKey }),
      leftOut: again?.leftOut ?? 0,
    };
  };
}

/** The call that shows further lines of the same jobs. Absent when all are shown. */
export function nextPageOf(
  pageFrom: PageFrom,
  { lines }: AccountsState,
  cursor: number | null,
  language: Language,
) {
  if (cursor === null) return {};
  const { tool_call, leftOut } = pageFrom(cursor);
  return {
    next_page: { tool_call, message: pageMessage(cursor, lines.length, leftOut, language) },
  };
}

function pageMessage(cursor: number, count: number, leftOut: number, language: Language): string {
  const message = {
    ko: `계좌 ${count}개 중 ${cursor}개까지 표시했습니다. 다음 계좌는 tool_call의 도구를 그 인수로 호출하십시오.`,
    en: `Shown up to account ${cursor} of ${count}. Make the call in tool_call for the next ones.`,
  }[language];
  return message + leftOutMessage(leftOut, language);
}

function leftOutMessage(leftOut: number, language: Language): string {
  if (leftOut === 0) return '';
  return {
    ko: ` tool_call에 없는 ${leftOut}개는 요청하신 id로 같은 방식으로 호출하십시오.`,
    en: ` Call in the same way with the ids that you named for the ${leftOut} accounts that tool_call leaves out.`,
  }[language];
}
