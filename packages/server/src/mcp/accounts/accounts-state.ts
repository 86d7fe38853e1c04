import { isEndState } from '@changgu/contract';
import type {
  AllAccountsLine,
  AllAccountsResponse,
  JobReadResponse,
} from '@changgu/contract/schemas';
import {
  interruptionReason,
  MAX_RETRY_SECONDS,
  RETRY_SECONDS,
} from '../../jobs/all-accounts/answer.ts';
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

export function openedState(response: AllAccountsResponse): AccountsState {
  const { accounts, interruption, next } = response;
  return {
    lines: accounts,
    ...(interruption === undefined ? {} : { interruption }),
    retryAfterSeconds: next?.retry_after_seconds ?? RETRY_SECONDS,
  };
}

/** What one request of a round came to. */
export type RequestOutcome =
  | { readonly response: AllAccountsResponse }
  | { readonly accountIds: readonly string[]; readonly error: ServiceError };

/** The state after another round: each request changes the lines of its own accounts, whatever became of the others. */
export function withRound(
  state: AccountsState,
  outcomes: readonly RequestOutcome[],
  language: Language,
): AccountsState {
  const parts = outcomes.map((outcome) =>
    'error' in outcome ? refusedState(state, outcome, language) : openedState(outcome.response),
  );
  const changed = parts.flatMap(({ lines }) => lines);
  const byAccount = new Map(changed.map((line) => [line.bank_account_credential_id, line]));
  const interruption = parts.find((part) => part.interruption)?.interruption;
  const pauses = parts
    .filter((part) => unsubmittedAccounts(part).length > 0)
    .map((part) => part.retryAfterSeconds);
  return {
    lines: state.lines.map((line) => byAccount.get(line.bank_account_credential_id) ?? line),
    ...(interruption === undefined ? {} : { interruption }),
    retryAfterSeconds: pauses.length === 0 ? RETRY_SECONDS : Math.max(...pauses),
  };
}

export function withJobs(state: AccountsState, jobs: readonly JobReadResponse[]): AccountsState {
  const statuses = new Map(jobs.map(({ job_id, status }) => [job_id, status]));
  const lines = state.lines.map((line) => ({
    ...line,
    status: statuses.get(line.job_id ?? '') ?? line.status,
  }));
  return { ...state, lines };
}

/** As far as the call knew when it had submitted: jobs that ended since then count as accepted. */
export function asAccepted(state: AccountsState, first: AccountsState): AccountsState {
  const known = new Map(first.lines.map(({ job_id, status }) => [job_id, status]));
  const lines = state.lines.map((line) =>
    isEndState(line.status) ? { ...line, status: known.get(line.job_id) ?? 'QUEUED' } : line,
  );
  return { ...state, lines };
}

/** The lines of a refused request: none of its accounts has a job of this round. */
function refusedState(
  { lines }: AccountsState,
  { accountIds, error }: Extract<RequestOutcome, { error: unknown }>,
  language: Language,
): AccountsState {
  const refused = new Set(accountIds);
  const seconds = error.details.retryAfterSeconds ?? RETRY_SECONDS;
  return {
    lines: lines
      .filter((line) => refused.has(line.bank_account_credential_id))
      .map((line) => ({ ...line, job_id: null, status: 'NOT_SUBMITTED', reason: 'interrupted' })),
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
