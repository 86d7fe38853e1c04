import { modelSize } from './model-size.ts';
import { RESULT_BUDGET, type ResultView } from './result-view.ts';

/** The lines of an answer on several accounts that are shown together. */
export interface LinePage<Shown> {
  readonly shown: readonly Shown[];
  /** Index of the next line; null when none is left. */
  readonly nextCursor: number | null;
}

/** Without what surrounds the lines. */
const LINES_BUDGET = RESULT_BUDGET - 500;
/** Of a line without its data: its ids, its status and the call that reads its job. */
const HEAD_TOKENS = 300;
/** Data is divided among this many lines at most, so that each shows enough to be of use. */
const LINES_WITH_DATA = 12;
const LINES_AT_A_TIME = 8;

/**
 * As many lines as fit into one answer, at least one. A line's account is counted twice, because the calls that an
 * answer suggests name it again.
 * @param cursor index of the first line
 * @param show a line with at most this many tokens of data
 */
export async function pageOfLines<
  Line extends object,
  Shown extends { readonly bank_account_credential_id: string },
>(
  lines: readonly Line[],
  cursor: number,
  show: (line: Line, budget: number) => Promise<Shown>,
): Promise<LinePage<Shown>> {
  const rest = lines.slice(cursor);
  const share = Math.floor(LINES_BUDGET / Math.max(1, Math.min(rest.length, LINES_WITH_DATA)));
  let budget = share - HEAD_TOKENS;
  const shown: Shown[] = [];
  let left = LINES_BUDGET;
  for (let at = 0; at < rest.length; at += LINES_AT_A_TIME) {
    const some = rest.slice(at, at + LINES_AT_A_TIME);
    const showSome = () => Promise.all(some.map((line) => show(line, budget)));
    let views = await showSome();
    const excess = Math.max(...views.map(sizeOf)) - share;
    if (excess > 0 && excess < budget) {
      budget -= excess;
      views = await showSome();
    }
    for (const view of views) {
      left -= sizeOf(view);
      if (left < 0 && shown.length > 0) return { shown, nextCursor: cursor + shown.length };
      shown.push(view);
    }
  }
  return { shown, nextCursor: null };
}

function sizeOf(line: { readonly bank_account_credential_id: string }): number {
  return modelSize(line) + modelSize(line.bank_account_credential_id);
}

/** Accounts that the caller named are named again, up to this many; an answer has room for no more. */
const MAX_NAMED = 20;

/**
 * Of the accounts that the caller named, those that the call for the next lines names again.
 * @param cursor index of the next line
 */
export function namedAgain(accountIds: readonly string[], cursor: number) {
  const named = accountIds.slice(cursor, cursor + MAX_NAMED);
  return { named, leftOut: accountIds.length - cursor - named.length };
}

/** What is shown of each line: in a call on several accounts, the cursor counts accounts. */
export function viewOfLine(view: ResultView): ResultView {
  const { cursor: _, ...each } = view;
  return each;
}

/** Whether a call only reads further lines of an earlier one: it waits for nothing and runs nothing again. */
export function readsOn({ cursor }: ResultView): boolean {
  return cursor !== undefined;
}
