import type { AllAccountsResponse } from '@changgu/contract/schemas';
import { describe, expect, it } from 'vitest';
import {
  ALL_ACCOUNTS_CASES,
  type AllAccountsCase,
  PAUSE_SECONDS,
  type ScriptedRound,
} from '../../../../contract/test/all-accounts-cases.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { accountRuns } from './account-runs.ts';
import { endedLines } from './accounts-state.ts';
import { caller, finding, job, line, response } from './testing/call-parts.ts';
import { BLOCKED_MS, watchAccounts } from './watch-accounts.ts';

/** The pause of the cases is the one that this driver keeps by itself. */
const SECOND_MS = BLOCKED_MS / PAUSE_SECONDS;

/** A tool call always returns when its first round finds no room; the caller of the SDK may choose to wait. */
const CASES = ALL_ACCOUNTS_CASES.filter(
  ({ rounds: [first], whenFull }) =>
    whenFull === 'return' || (first && 'accepts' in first ? first.accepts.length > 0 : true),
);

describe('an all-accounts call over MCP', () => {
  it.each(CASES)('$name', async (given) => {
    const { expected } = given;
    const call = script(given);
    const work = async () => {
      const first = await call.begin();
      return watchAccounts(call, caller, first, { ...call, report: async () => undefined });
    };
    if (expected.stop === 'refused' && expected.rounds.length === 1) {
      await expect(work()).rejects.toMatchObject({ code: expected.code });
    } else {
      const state = await work();
      const ended = endedLines(state).map((each) => each.bank_account_credential_id);
      expect(ended).toEqual(expected.ended);
      expect(state.interruption?.code ?? null).toBe(expected.code);
    }
    expect(call.patience.stopped.aborted).toBe(expected.stop === 'aborted');
    expect(call.rounds).toEqual(expected.rounds);
  });
});

describe('an all-accounts call whose jobs do not end', () => {
  it.each([
    [1, 1],
    [40, 3],
    [5_000, 5_000],
  ])(
    'answers by its deadline with the jobs that it made: %i accounts, room for %i (R116)',
    async (count, room) => {
      const accounts = Array.from({ length: count }, (_, index) => `account ${index}`);
      const given: AllAccountsCase = {
        name: 'endless',
        accounts,
        whenFull: 'return',
        rounds: [{ accepts: accounts.slice(0, room) }, { accepts: [] }],
        jobSeconds: Object.fromEntries(accounts.map((account) => [account, 36_000])),
        deadlineSeconds: 50,
        expected: { rounds: [], ended: [], stop: 'deadline', code: null },
      };
      const call = script(given);
      const first = await call.begin();
      const report = async () => undefined;
      const state = await watchAccounts(call, caller, first, { ...call, report });
      expect(call.timers.monotonic()).toBe(50 * SECOND_MS);
      expect(state.lines).toHaveLength(count);
      const jobs = state.lines.flatMap(({ job_id: id }) => (id === null ? [] : [id]));
      expect(new Set(jobs).size).toBe(room);
    },
  );
});

/** Plays a case in place of the service, in virtual time. */
function script(given: AllAccountsCase) {
  const stop = new AbortController();
  const stopAt = (given.abortAfterSeconds ?? Number.POSITIVE_INFINITY) * SECOND_MS;
  const deadline = (given.deadlineSeconds ?? Number.POSITIVE_INFINITY) * SECOND_MS;
  const rounds: (readonly string[])[] = [];
  const endsAt = new Map<string, number>();
  let now = 0;
  const moveTo = (time: number) => {
    now = Math.min(time, stopAt);
    if (now === stopAt) stop.abort();
  };

  async function submit(asked: readonly string[]) {
    const round = given.rounds[rounds.length] ?? given.rounds.at(-1);
    rounds.push(asked);
    if (!round || 'refusedWith' in round) {
      throw new ServiceError(round?.refusedWith ?? 'INTERNAL_ERROR');
    }
    for (const account of round.accepts) {
      endsAt.set(`job of ${account}`, now + (given.jobSeconds?.[account] ?? 5) * SECOND_MS);
    }
    return answerTo(asked, round);
  }

  // The jobs of a call are waited for together: time moves to the first that ends.
  let together: { ids: string[]; moved: Promise<void> } | null = null;
  async function waitForChange(_access: unknown, id: string, { seconds }: { seconds: number }) {
    together ??= { ids: [], moved: Promise.resolve().then(move) };
    together.ids.push(id);
    await together.moved;
    return job(id, now >= endOf(id) ? 'SUCCEEDED' : 'RUNNING');

    function move() {
      const ends = (together?.ids ?? []).map(endOf);
      together = null;
      moveTo(Math.min(now + seconds * 1_000, ...ends));
    }
  }
  function after(ms: number, call: () => void) {
    queueMicrotask(() => {
      moveTo(now + ms);
      call();
    });
    return () => {};
  }
  const endOf = (id: string) => endsAt.get(id) ?? Number.POSITIVE_INFINITY;

  const runs = accountRuns(
    'k',
    finding((_, ids) => submit(ids ?? given.accounts)),
    caller,
  );
  return {
    rounds,
    begin: () => runs.begin(given.accounts, async () => new Set(), null),
    submit: runs.submit,
    waits: { waitForChange },
    timers: { monotonic: () => now, after },
    patience: {
      left: () => (stop.signal.aborted ? 0 : Math.max(0, deadline - now)),
      stopped: stop.signal,
    },
  };
}

type AcceptingRound = Extract<ScriptedRound, { accepts: unknown }>;

function answerTo(
  asked: readonly string[],
  { accepts, interruptedBy }: AcceptingRound,
): AllAccountsResponse {
  const reason = interruptedBy ? 'interrupted' : 'over_concurrency_limit';
  const lines = asked.map((account) =>
    accepts.includes(account)
      ? line(account, 'QUEUED')
      : ({ ...line(account, 'NOT_SUBMITTED'), reason } as const),
  );
  return {
    ...response(lines),
    next: {
      retry_after_seconds: (PAUSE_SECONDS * SECOND_MS) / 1_000,
      bank_account_credential_ids: asked.filter((account) => !accepts.includes(account)),
      message: 'later',
    },
    ...(interruptedBy
      ? { interruption: { code: interruptedBy, message: 'stopped', reason: 'quota_race' } }
      : {}),
  };
}
