import { setTimeout as sleep } from 'node:timers/promises';
import type { AllAccountsResponse } from '@changgu/contract/schemas';
import { jobAccess } from '../../requests/access.ts';
import { asServiceError } from '../../requests/error-answer.ts';
import { nextChange, type Patience } from '../await-jobs.ts';
import type { Caller } from '../caller.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';
import {
  type AccountsState,
  blockedAccounts,
  endedLines,
  openJobs,
  withJobs,
  withRefusal,
  withRound,
} from './accounts-state.ts';

export interface AccountsWatch {
  /** A further round for these accounts, under the key of the call. */
  readonly submit: (accountIds: readonly string[]) => Promise<AllAccountsResponse>;
  readonly report: (state: AccountsState) => Promise<void>;
  readonly patience: Patience;
}

/** Other calls' jobs make room as well, and nobody tells: a blocked line is tried this often. */
const BLOCKED_MS = 1_000;

/** Follows a call until all its lines have ended or its time is over. What stops it midway is in the state. */
export async function watchAccounts(
  dependencies: Pick<McpDependencies, 'waits'>,
  caller: Caller,
  first: AccountsState,
  { submit, report, patience }: AccountsWatch,
): Promise<AccountsState> {
  let state = first;
  if (first.lines.every(({ job_id: id }) => id === null)) return state;
  let triedAt = performance.now();
  while (isOpen(state) && patience.left() > 0) {
    const before = endedLines(state).length;
    try {
      state = await nextState(dependencies, caller, state, patience);
      const hasRoom =
        endedLines(state).length > before || performance.now() - triedAt >= BLOCKED_MS;
      const blocked = blockedAccounts(state);
      if (blocked.length > 0 && hasRoom) {
        state = withRound(state, await submit(blocked));
        triedAt = performance.now();
      }
    } catch (failure) {
      const error = asServiceError(failure);
      if (error.code === 'INTERNAL_ERROR') caller.onFailure(error);
      return blockedAccounts(state).length === 0
        ? state
        : withRefusal(state, error, caller.language);
    }
    await report(state);
  }
  return state;
}

function isOpen(state: AccountsState): boolean {
  return openJobs(state).length > 0 || blockedAccounts(state).length > 0;
}

async function nextState(
  { waits }: Pick<McpDependencies, 'waits'>,
  { principal, envScope }: Caller,
  state: AccountsState,
  { left, stopped }: Patience,
): Promise<AccountsState> {
  const ms = blockedAccounts(state).length > 0 ? Math.min(left(), BLOCKED_MS) : left();
  const open = openJobs(state);
  if (open.length > 0) {
    const access = jobAccess(principal, envScope);
    return withJobs(state, await nextChange(waits, access, open, { ms, stopped }));
  }
  await sleep(ms, undefined, { signal: stopped }).catch(() => undefined);
  return state;
}
