import { setTimeout as sleep } from 'node:timers/promises';
import { afterRound } from '@changgu/contract';
import type { AllAccountsResponse } from '@changgu/contract/schemas';
import { jobAccess } from '../../requests/access.ts';
import { asServiceError } from '../../requests/error-answer.ts';
import type { ServiceError } from '../../rules/service-error.ts';
import { nextChange, type Patience } from '../await-jobs.ts';
import type { Caller } from '../caller.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';
import {
  type AccountsState,
  endedLines,
  openJobs,
  unsubmittedAccounts,
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

/** Other calls' jobs make room as well, without notice: a blocked line is tried this often. */
const BLOCKED_MS = 1_000;

/**
 * Follows a call until all its lines have ended or its time is over. What stops it midway is in the state; the jobs that
 * it submitted are waited for all the same (D164).
 */
export async function watchAccounts(
  dependencies: Pick<McpDependencies, 'waits'>,
  caller: Caller,
  first: AccountsState,
  watch: AccountsWatch,
): Promise<AccountsState> {
  const { report, patience } = watch;
  let state = first;
  let triedAt = performance.now();
  if (first.lines.every(({ job_id: id }) => id === null)) return state;
  while (patience.left() > 0) {
    const remaining = accountsToSubmit(state, triedAt, patience);
    if (openJobs(state).length === 0 && remaining.length === 0) break;
    const before = endedLines(state).length;
    const ms = remaining.length > 0 ? Math.min(patience.left(), BLOCKED_MS) : patience.left();
    const next = await nextState(dependencies, caller, state, { ms, stopped: patience.stopped });
    if (next === null) return state;
    state = next;
    const hasRoom = endedLines(state).length > before;
    if (remaining.length > 0 && isDue(state, triedAt, hasRoom)) {
      state = await submitAgain(caller, state, remaining, watch);
      triedAt = performance.now();
    }
    await report(state);
  }
  return state;
}

/** By the rules of every driver: what is left for a further round, unless that is not to come. */
function accountsToSubmit(state: AccountsState, triedAt: number, { left }: Patience): string[] {
  const accounts = unsubmittedAccounts(state);
  const sincePause = performance.now() - triedAt;
  const after = afterRound({
    submitted: state.lines.length - accounts.length,
    remaining: accounts.length,
    interruption: state.interruption?.code ?? null,
    // Room is made by jobs that end, and noticed at once; only an interruption has to be waited out.
    pauseMs: state.interruption ? Math.max(0, state.retryAfterSeconds * 1_000 - sincePause) : 0,
    leftMs: left(),
    whenFull: 'return',
  });
  return after === 'again' ? accounts : [];
}

function isDue(state: AccountsState, triedAt: number, hasRoom: boolean): boolean {
  const since = performance.now() - triedAt;
  if (state.interruption) return since >= state.retryAfterSeconds * 1_000;
  return hasRoom || since >= BLOCKED_MS;
}

async function submitAgain(
  caller: Caller,
  state: AccountsState,
  accounts: readonly string[],
  { submit }: AccountsWatch,
): Promise<AccountsState> {
  try {
    return withRound(state, await submit(accounts));
  } catch (failure) {
    return withRefusal(state, known(caller, failure), caller.language);
  }
}

function known({ onFailure }: Caller, failure: unknown): ServiceError {
  const error = asServiceError(failure);
  if (error.code === 'INTERNAL_ERROR') onFailure(error);
  return error;
}

/** Null when the jobs can be watched no longer: the call answers with what it knows. */
async function nextState(
  { waits }: Pick<McpDependencies, 'waits'>,
  caller: Caller,
  state: AccountsState,
  time: { readonly ms: number; readonly stopped: AbortSignal },
): Promise<AccountsState | null> {
  const open = openJobs(state);
  if (open.length === 0) {
    await sleep(time.ms, undefined, { signal: time.stopped }).catch(() => undefined);
    return state;
  }
  try {
    const access = jobAccess(caller.principal, caller.envScope);
    return withJobs(state, await nextChange(waits, access, open, time));
  } catch (failure) {
    known(caller, failure);
    return null;
  }
}
