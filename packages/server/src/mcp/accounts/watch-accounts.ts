import { afterRound } from '@changgu/contract';
import { jobAccess } from '../../requests/access.ts';
import { pause, realTimers, type Timers } from '../../timers.ts';
import { nextChange, type Patience } from '../await-jobs.ts';
import { type Caller, isStillAdmitted, knownFailure } from '../caller.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';
import {
  type AccountsState,
  asAccepted,
  endedLines,
  openJobs,
  unsubmittedAccounts,
  withJobs,
} from './accounts-state.ts';

export interface AccountsWatch {
  /** The state after another round for these accounts. Never rejects: a refusal is in the state. */
  readonly submit: (state: AccountsState, accountIds: readonly string[]) => Promise<AccountsState>;
  readonly report: (state: AccountsState) => Promise<void>;
  readonly patience: Patience;
  /** @default real time */
  readonly timers?: Timers;
}

/** Jobs of other calls make room too, without a signal, so a blocked line is retried this often. */
export const BLOCKED_MS = 1_000;

/**
 * Follows a call until all its lines have ended or its time is up. The state records an interruption; jobs submitted
 * before it are still waited for. Whoever is no longer admitted, as with a revoked key, submits nothing more and learns
 * which jobs there are, but not how they ended.
 */
export async function watchAccounts(
  dependencies: Pick<McpDependencies, 'waits'>,
  caller: Caller,
  first: AccountsState,
  watch: AccountsWatch,
): Promise<AccountsState> {
  const { submit, report, patience, timers = realTimers } = watch;
  let state = first;
  let triedAt = timers.monotonic();
  if (first.lines.every(({ job_id: id }) => id === null)) return state;
  while (patience.left() > 0) {
    const remaining = accountsToSubmit(state, timers.monotonic() - triedAt, patience);
    if (openJobs(state).length === 0 && remaining.length === 0) break;
    const before = endedLines(state).length;
    const ms = remaining.length > 0 ? Math.min(patience.left(), BLOCKED_MS) : patience.left();
    const next = await nextState(dependencies, caller, state, {
      ms,
      stopped: patience.stopped,
      timers,
    });
    if (!(await isStillAdmitted(caller))) return asAccepted(state, first);
    if (next === null) break;
    state = next;
    const hasRoom = endedLines(state).length > before;
    if (remaining.length > 0 && isDue(state, timers.monotonic() - triedAt, hasRoom)) {
      state = await submit(state, remaining);
      triedAt = timers.monotonic();
    }
    await report(state);
  }
  return state;
}

/** By the rules of every driver: what is left for another round, unless none will follow. */
function accountsToSubmit(state: AccountsState, sinceRound: number, { left }: Patience): string[] {
  const accounts = unsubmittedAccounts(state);
  const after = afterRound({
    submitted: state.lines.length - accounts.length,
    remaining: accounts.length,
    interruption: state.interruption?.code ?? null,
    // Ending jobs make room, which is noticed at once; only an interruption has to be waited out.
    pauseMs: state.interruption ? Math.max(0, state.retryAfterSeconds * 1_000 - sinceRound) : 0,
    leftMs: left(),
    whenFull: 'return',
  });
  return after === 'again' ? accounts : [];
}

function isDue(state: AccountsState, sinceRound: number, hasRoom: boolean): boolean {
  if (state.interruption) return sinceRound >= state.retryAfterSeconds * 1_000;
  return hasRoom || sinceRound >= BLOCKED_MS;
}

/** Null when the jobs can no longer be watched: the call returns what it knows. */
async function nextState(
  { waits }: Pick<McpDependencies, 'waits'>,
  caller: Caller,
  state: AccountsState,
  {
    timers,
    ...time
  }: { readonly ms: number; readonly stopped: AbortSignal; readonly timers: Timers },
): Promise<AccountsState | null> {
  const open = openJobs(state);
  if (open.length === 0) {
    // When stopped, it is over at once, and the caller sees why.
    await pause(timers, time.ms, time.stopped).catch(() => undefined);
    return state;
  }
  try {
    const access = jobAccess(caller.principal, caller.envScope);
    return withJobs(state, await nextChange(waits, access, open, time));
  } catch (failure) {
    knownFailure(caller, failure);
    return null;
  }
}
