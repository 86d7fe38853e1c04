import { isEndState } from '@changgu/contract';
import type {
  AllAccountsLine,
  AllAccountsResponse,
  JobReadResponse,
} from '@changgu/contract/schemas';
import { interruptionReason } from '../../jobs/all-accounts/answer.ts';
import type { Language } from '../../requests/language.ts';
import type { ServiceError } from '../../rules/service-error.ts';

/** State of a call on several accounts. */
export interface AccountsState {
  /** One per account, in the order of the first answer. */
  readonly lines: readonly AllAccountsLine[];
  /** Absent unless the call was interrupted. */
  readonly interruption?: AllAccountsResponse['interruption'];
  /** Seconds until submitting the rest is worth a try. */
  readonly retryAfterSeconds: number;
}

/** D45. */
export const RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 3_600;

export function openedState(response: AllAccountsResponse): AccountsState {
  const { accounts, interruption, next } = response;
  return {
    lines: accounts,
    ...(interruption === undefined ? {} : { interruption }),
    retryAfterSeconds: next?.retry_after_seconds ?? RETRY_SECONDS,
  };
}

/** The state after another round for lines that were blocked. */
export function withRound(state: AccountsState, response: AllAccountsResponse): AccountsState {
  const round = openedState(response);
  const byAccount = new Map(round.lines.map((line) => [line.bank_account_credential_id, line]));
  const lines = state.lines.map((line) => byAccount.get(line.bank_account_credential_id) ?? line);
  return { ...round, lines };
}

export function withJobs(state: AccountsState, jobs: readonly JobReadResponse[]): AccountsState {
  const statuses = new Map(jobs.map(({ job_id, status }) => [job_id, status]));
  const lines = state.lines.map((line) => ({
    ...line,
    status: statuses.get(line.job_id ?? '') ?? line.status,
  }));
  return { ...state, lines };
}

/** The state after another round was refused: its lines stay unsubmitted (R119). */
export function withRefusal(
  state: AccountsState,
  error: ServiceError,
  language: Language,
): AccountsState {
  const lines = state.lines.map((line) =>
    isBlocked(line) ? { ...line, reason: 'interrupted' as const } : line,
  );
  const seconds = error.details.retryAfterSeconds ?? RETRY_SECONDS;
  return {
    lines,
    interruption: {
      code: error.code,
      message: error.text(language),
      reason: interruptionReason(error.code),
    },
    retryAfterSeconds: Math.min(seconds, MAX_RETRY_SECONDS),
  };
}

export function unsubmittedAccounts({
  lines,
}: {
  readonly lines: readonly Pick<AllAccountsLine, 'status' | 'bank_account_credential_id'>[];
}): string[] {
  return lines
    .filter(({ status }) => status === 'NOT_SUBMITTED')
    .map((line) => line.bank_account_credential_id);
}

/** Ids of the unfinished jobs. */
export function openJobs({ lines }: AccountsState): string[] {
  return lines.flatMap(({ job_id: id, status }) => (id === null || isEndState(status) ? [] : [id]));
}

export function endedLines({ lines }: AccountsState): readonly AllAccountsLine[] {
  return lines.filter(({ status }) => isEndState(status));
}

/** Blocked by the product's cap. */
function isBlocked({ reason }: AllAccountsLine): boolean {
  return reason === 'over_concurrency_limit';
}
