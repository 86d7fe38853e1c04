import type {
  AllAccountsLine,
  AllAccountsResponse,
  JobReadResponse,
} from '@changgu/contract/schemas';
import { describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../rules/service-error.ts';
import { patienceFor } from '../await-jobs.ts';
import { accountRuns } from './account-runs.ts';
import { openedState, unsubmittedAccounts } from './accounts-state.ts';
import { caller, finding, job, line, response } from './testing/call-parts.ts';
import { watchAccounts } from './watch-accounts.ts';

/** Jobs of which each look ends one more, in the order of their accounts. */
function endingOneByOne(failAt: string | null = null) {
  const ended = new Set<string>();
  let turn: string | null = null;
  return {
    waitForChange: async (_access: unknown, jobId: string): Promise<JobReadResponse> => {
      if (jobId === failAt) throw new ServiceError('SERVICE_UNAVAILABLE');
      turn ??= jobId;
      if (turn === jobId) {
        ended.add(jobId);
        queueMicrotask(() => {
          turn = null;
        });
      }
      return job(jobId, ended.has(jobId) ? 'SUCCEEDED' : 'RUNNING');
    },
  };
}

type SubmitRound = (ids: readonly string[]) => Promise<AllAccountsResponse>;

/** Another round of a call that has one key. */
const roundBy = (submit: SubmitRound) =>
  accountRuns(
    'k',
    finding((_, ids) => submit(ids ?? [])),
    caller,
  ).submit;

const never = new AbortController().signal;
const watch = {
  patience: patienceFor(60, never),
  report: async () => undefined,
  submit: roundBy(async (ids) => response(ids.map((id) => line(id, 'QUEUED')))),
};
const statuses = ({ lines }: { lines: readonly AllAccountsLine[] }) =>
  lines.map(({ bank_account_credential_id: id, status, reason }) => `${id} ${reason ?? status}`);

describe('watching a call on several accounts', () => {
  it('submits blocked lines as others end, one round after the other', async () => {
    const rounds: (readonly string[])[] = [];
    const first = openedState(
      response([line('a', 'QUEUED'), line('b', 'NOT_SUBMITTED'), line('c', 'NOT_SUBMITTED')]),
    );
    const state = await watchAccounts({ waits: endingOneByOne() }, caller, first, {
      ...watch,
      submit: roundBy(async (ids) => {
        rounds.push(ids);
        return response(ids.map((id, index) => line(id, index === 0 ? 'QUEUED' : 'NOT_SUBMITTED')));
      }),
    });
    expect(statuses(state)).toEqual(['a SUCCEEDED', 'b SUCCEEDED', 'c SUCCEEDED']);
    expect(rounds).toEqual([['b', 'c'], ['c']]);
  });

  it('does not wait when nothing was accepted (R116)', async () => {
    const blocked = openedState(response([line('a', 'NOT_SUBMITTED'), line('b', 'NOT_SUBMITTED')]));
    const submit = async () => {
      throw new Error('is not called');
    };
    const state = await watchAccounts({ waits: endingOneByOne() }, caller, blocked, {
      ...watch,
      submit,
    });
    expect(state).toBe(blocked);
  });

  it('a later round that is refused interrupts the call: lines stay, the rest is named (R119)', async () => {
    const first = openedState(
      response([line('a', 'QUEUED'), line('b', 'NOT_SUBMITTED'), line('c', 'NOT_SUBMITTED')]),
    );
    const state = await watchAccounts({ waits: endingOneByOne() }, caller, first, {
      ...watch,
      submit: roundBy(async () => {
        throw new ServiceError('POLICY_QUOTA_EXCEEDED', { retryAfterSeconds: 40_000 });
      }),
    });
    expect(statuses(state)).toEqual(['a SUCCEEDED', 'b interrupted', 'c interrupted']);
    expect(state.interruption).toEqual({
      code: 'POLICY_QUOTA_EXCEEDED',
      message: '사용 토큰 한도를 초과했습니다.',
      reason: 'quota_race',
    });
    expect(state.retryAfterSeconds).toBe(3_600);
    expect(unsubmittedAccounts(state)).toEqual(['b', 'c']);
  });

  it('still waits for the jobs that it submitted when a round is refused (D164)', async () => {
    const lines = [line('a', 'QUEUED'), line('b', 'QUEUED'), line('c', 'NOT_SUBMITTED')];
    const state = await watchAccounts(
      { waits: endingOneByOne() },
      caller,
      openedState(response(lines)),
      {
        ...watch,
        submit: roundBy(async () => {
          throw new ServiceError('POLICY_QUOTA_EXCEEDED');
        }),
      },
    );
    expect(statuses(state)).toEqual(['a SUCCEEDED', 'b SUCCEEDED', 'c interrupted']);
  });

  it('a round that stops midway interrupts it as well (R119)', async () => {
    const first = openedState(response([line('a', 'QUEUED'), line('b', 'NOT_SUBMITTED')]));
    const interruption = { code: 'SERVICE_UNAVAILABLE', message: 'm', reason: 'store_error' };
    const state = await watchAccounts({ waits: endingOneByOne() }, caller, first, {
      ...watch,
      // Shorter than the pause that the interruption asks for: it is not waited out.
      patience: patienceFor(5, new AbortController().signal),
      submit: roundBy(async ([id = '']) => ({
        ...response([{ ...line(id, 'NOT_SUBMITTED'), reason: 'interrupted' }]),
        interruption,
      })),
    });
    expect(statuses(state)).toEqual(['a SUCCEEDED', 'b interrupted']);
    expect(state.interruption).toEqual(interruption);
  });

  it('submits and tells nothing more once the key is revoked, though its incident makes room (D98)', async () => {
    let admitted = true;
    const rounds: (readonly string[])[] = [];
    const waits = endingOneByOne();
    const lines = [line('a', 'QUEUED'), line('b', 'NOT_SUBMITTED'), line('c', 'NOT_SUBMITTED')];
    const thief = { ...caller, stillAdmitted: async () => admitted };
    const watched = watchAccounts({ waits }, thief, openedState(response(lines)), {
      ...watch,
      submit: roundBy(async (ids) => {
        rounds.push(ids);
        admitted = false;
        return response(ids.map((id, n) => line(id, n === 0 ? 'QUEUED' : 'NOT_SUBMITTED')));
      }),
    });
    expect(statuses(await watched)).toEqual(['a QUEUED', 'b QUEUED', 'c over_concurrency_limit']);
    expect(rounds).toEqual([['b', 'c']]);

    const all = openedState(response([line('a', 'QUEUED'), line('b', 'QUEUED')]));
    const report = vi.fn(watch.report);
    const ended = watchAccounts({ waits: endingOneByOne() }, thief, all, { ...watch, report });
    expect(statuses(await ended)).toEqual(['a QUEUED', 'b QUEUED']);
    expect(report).not.toHaveBeenCalled();
  });

  it('keeps what it knows when the jobs cannot be read, and ends when no one is waiting', async () => {
    const first = openedState(response([line('a', 'RUNNING')]));
    const waits = endingOneByOne('job of a');
    expect(statuses(await watchAccounts({ waits }, caller, first, watch))).toEqual(['a RUNNING']);
    const gone = { ...watch, patience: patienceFor(60, AbortSignal.abort()) };
    expect(await watchAccounts({ waits: endingOneByOne() }, caller, first, gone)).toBe(first);
  });
});
