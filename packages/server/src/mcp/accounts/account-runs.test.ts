import type { AllAccountsLine, AllAccountsResponse } from '@changgu/contract/schemas';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../rules/service-error.ts';
import { patienceFor } from '../await-jobs.ts';
import { accountRuns, type SubmitAccounts } from './account-runs.ts';
import { unsubmittedAccounts } from './accounts-state.ts';
import { caller, finding, job, line, response } from './testing/call-parts.ts';
import { watchAccounts } from './watch-accounts.ts';

const RERUN = 'k~1';
const FREED = new Set(['job of b', 'job of d']);

const freed = async (jobIds: readonly string[]) => new Set(jobIds.filter((id) => FREED.has(id)));
const refused = () => new ServiceError('POLICY_QUOTA_EXCEEDED', { retryAfterSeconds: 600 });
const statuses = ({ lines }: { lines: readonly AllAccountsLine[] }) =>
  lines.map(({ bank_account_credential_id: id, status, reason }) => `${id} ${reason ?? status}`);

type Round = (key: string, ids: readonly string[] | null) => Promise<AllAccountsResponse>;

function runsOf(read: Round) {
  return accountRuns('k', finding(read), caller);
}

describe('accounts that run again', () => {
  it('keep the lines of the others when their own round is refused (R119)', async () => {
    const runs = runsOf(async (key) => {
      if (key === RERUN) throw refused();
      return response([line('a', 'SUCCEEDED'), line('b', 'FAILED'), line('c', 'QUEUED')]);
    });
    const state = await runs.begin(null, freed, null);
    expect(statuses(state)).toEqual(['a SUCCEEDED', 'b interrupted', 'c QUEUED']);
    expect(state.lines[1]?.job_id).toBeNull();
    expect(state.interruption).toMatchObject({ code: 'POLICY_QUOTA_EXCEEDED' });
    expect(state.retryAfterSeconds).toBe(600);
    expect(unsubmittedAccounts(state)).toEqual(['b']);
  });

  it('are refused together when there is no other account', async () => {
    const runs = runsOf(async (key) => {
      if (key === RERUN) throw refused();
      return response([line('b', 'FAILED'), line('d', 'TIMEOUT')]);
    });
    const begun = runs.begin(null, freed, null);
    await expect(begun).rejects.toMatchObject({ code: 'POLICY_QUOTA_EXCEEDED' });
  });

  it('are found although the first round was stopped, when a call only reads on', async () => {
    const interruption = { code: 'POLICY_QUOTA_EXCEEDED', message: 'no', reason: null } as const;
    const runs = runsOf(async (key) =>
      key === RERUN
        ? response([line('b', 'SUCCEEDED')])
        : { ...response([line('b', 'FAILED'), line('c', 'NOT_SUBMITTED')]), interruption },
    );
    const state = await runs.begin(null, freed, async () => new Set(['b']));
    expect(statuses(state)[0]).toBe('b SUCCEEDED');
    expect(state.interruption).toEqual(interruption);
  });

  it('are refused when a call only reads on, because their jobs are there', async () => {
    const runs = runsOf(async (key) => {
      if (key === RERUN) throw new ServiceError('SERVICE_UNAVAILABLE');
      return response([line('a', 'SUCCEEDED'), line('b', 'FAILED')]);
    });
    const begun = runs.begin(null, freed, async () => new Set(['b']));
    await expect(begun).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('an account whose job failed before its own call was answered', () => {
  it('has one job, while the failed job of an earlier call runs again (R78)', async () => {
    const asked: unknown[] = [];
    const submit: SubmitAccounts = async (key, ids) => {
      asked.push([key, ids]);
      // Every job fails at once, as those of a suspended link do; `d` had one before this call.
      const lines = (ids ?? ['b', 'd']).map((id) => line(id, 'FAILED'));
      return {
        response: response(lines),
        newJobs: new Set(
          lines.flatMap(({ job_id: id }) => (key === RERUN || id === 'job of b' ? [id ?? ''] : [])),
        ),
      };
    };
    const state = await accountRuns('k', submit, caller).begin(null, freed, null);
    expect(asked).toEqual([
      ['k', null],
      [RERUN, ['d']],
    ]);
    expect(statuses(state)).toEqual(['b FAILED', 'd FAILED']);
  });
});

describe('a later round with accounts under two keys', () => {
  const first = [line('a', 'QUEUED'), line('b', 'FAILED'), line('c', 'NOT_SUBMITTED')];
  const waits = { waitForChange: async (_: unknown, id: string) => job(id, 'SUCCEEDED') };

  /** The first round finds `b` failed; its rerun and `c` are blocked, and both are submitted again once `a` has ended. */
  async function callWith(later: Round) {
    let requests = 0;
    const runs = runsOf(async (key, ids) => {
      requests += 1;
      if (requests === 1) return response(first);
      return requests === 2 ? response([line('b', 'NOT_SUBMITTED')]) : later(key, ids);
    });
    const state = await runs.begin(null, freed, null);
    return watchAccounts({ waits }, caller, state, {
      submit: runs.submit,
      report: async () => undefined,
      patience: patienceFor(60, new AbortController().signal),
    });
  }

  it.each([
    [RERUN, ['a SUCCEEDED', 'b interrupted', 'c SUCCEEDED'], ['b']],
    ['k', ['a SUCCEEDED', 'b SUCCEEDED', 'c interrupted'], ['c']],
  ])('shows the jobs of the one when %s is refused (R119)', async (key, expected, open) => {
    const state = await callWith(async (asked, ids) => {
      if (asked === key) throw refused();
      return response((ids ?? []).map((id) => line(id, 'QUEUED')));
    });
    expect(statuses(state)).toEqual(expected);
    expect(state.interruption).toMatchObject({ code: 'POLICY_QUOTA_EXCEEDED' });
    expect(unsubmittedAccounts(state)).toEqual(open);
  });

  it('waits as long as the one that asks for more', async () => {
    const state = await callWith(async (asked, ids) => ({
      ...response((ids ?? []).map((id) => line(id, asked === 'k' ? 'QUEUED' : 'NOT_SUBMITTED'))),
      ...(asked === 'k'
        ? {}
        : {
            next: { retry_after_seconds: 900, bank_account_credential_ids: ['b'], message: '' },
            interruption: { code: 'POLICY_QUOTA_EXCEEDED', message: 'm', reason: 'quota_race' },
          }),
    }));
    expect(statuses(state)).toEqual(['a SUCCEEDED', 'b over_concurrency_limit', 'c SUCCEEDED']);
    expect(state.retryAfterSeconds).toBe(900);
  });
});
