import { namedAgain } from '@changgu/contract/catalogue';
import type { Language } from '../../requests/language.ts';
import type { ToolCall } from '../tools/arguments.ts';
import type { SuggestedCall } from '../tools/listed-tools.ts';
import { type AccountsState, unsubmittedAccounts } from './accounts-state.ts';

/** The call on other accounts, under its own key. */
export type CallFor = (accountIds: readonly string[]) => SuggestedCall;

type Lines = Parameters<typeof unsubmittedAccounts>[0]['lines'];

/** A call with what it is for. */
interface Step {
  readonly tool_call: SuggestedCall;
  readonly message: string;
}

/** The lines after those that are shown, and the call that shows them. */
interface Further {
  readonly lines: Lines;
  readonly page: Step | undefined;
}

/**
 * The call for those of the shown accounts that remain. Where only later ones remain, the call that shows them: it
 * does not name them, because the answer to it does. Null when none remain.
 */
export function nextOf(
  callFor: CallFor,
  shown: Lines,
  further: Further,
  state: AccountsState,
  language: Language,
): Step | null {
  const ids = unsubmittedAccounts({ lines: shown });
  if (ids.length > 0) {
    return { tool_call: callFor(ids), message: nextMessage(ids.length, state, language) };
  }
  const { length: count } = unsubmittedAccounts(further);
  if (count === 0 || further.page === undefined) return null;
  return { tool_call: further.page.tool_call, message: furtherMessage(count, language) };
}

function furtherMessage(count: number, language: Language): string {
  return {
    ko: `다음 계좌 가운데 ${count}개가 제출되지 않았습니다. tool_call의 도구를 그 인수로 호출하면 그 계좌와 이어서 제출하는 방법을 표시합니다.`,
    en: `${count} of the next accounts were not submitted. Make the call in tool_call: it shows them and how to submit them.`,
  }[language];
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

/** The call that shows further lines of the same jobs. Absent when all are shown. */
export function nextPageOf(
  callWith: (reserved: Readonly<Record<string, unknown>>) => SuggestedCall,
  { accounts, idempotencyKey, view }: ToolCall,
  { lines }: AccountsState,
  cursor: number | null,
  language: Language,
): { readonly next_page?: Step } {
  if (cursor === null) return {};
  const again = accounts?.ids
    ? namedAgain(
        lines.map((line) => line.bank_account_credential_id),
        cursor,
      )
    : null;
  const selection = again
    ? { bank_account_credential_ids: again.named, view: { ...view, cursor: 0 } }
    : { all_accounts: true, view: { ...view, cursor } };
  return {
    next_page: {
      tool_call: callWith({ ...selection, request_id: idempotencyKey }),
      message: pageMessage(cursor, lines.length, again?.leftOut ?? 0, language),
    },
  };
}

function pageMessage(cursor: number, count: number, leftOut: number, language: Language): string {
  const more = {
    ko: `tool_call에 없는 ${leftOut}개는 요청하신 id로 같은 방식으로 호출하십시오.`,
    en: `Call in the same way with the ids that you named for the ${leftOut} accounts that tool_call leaves out.`,
  }[language];
  const message = {
    ko: `계좌 ${count}개 중 ${cursor}개까지 표시했습니다. 다음 계좌는 tool_call의 도구를 그 인수로 호출하십시오.`,
    en: `Shown up to account ${cursor} of ${count}. Make the call in tool_call for the next ones.`,
  }[language];
  return leftOut === 0 ? message : `${message} ${more}`;
}
