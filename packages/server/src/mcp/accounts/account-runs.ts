import { isEndState, keyOfRun } from '@changgu/contract';
import type { AllAccountsLine } from '@changgu/contract/schemas';
import type { AllAccountsAnswer } from '../../jobs/all-accounts/submit-all-accounts.ts';
import { type Caller, knownFailure } from '../caller.ts';
import {
  type AccountsState,
  openedState,
  type RequestOutcome,
  withRound,
} from './accounts-state.ts';

/** One round under a key; null for every account. */
export type SubmitAccounts = (
  key: string,
  accountIds: readonly string[] | null,
) => Promise<Pick<AllAccountsAnswer, 'response' | 'newJobs'>>;

/** The accounts that have a job under a key. */
type Begun = (key: string) => Promise<ReadonlySet<string>>;

/** Which of these jobs freed their key. */
type Freed = (jobIds: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The rounds of one call. All accounts share its key, except those whose earlier job freed it: each of them has the key
 * of its own next run, so that repeating a call runs again what failed without effect, and nothing else.
 */
export function accountRuns(
  key: string,
  submit: SubmitAccounts,
  caller: Pick<Caller, 'onFailure' | 'language'>,
) {
  const runs = new Map<string, number>();
  // A job of this very call may have failed by the time it is answered. It is the answer, and no earlier run.
  const own = new Set<string>();

  async function submitRound(roundKey: string, accountIds: readonly string[] | null) {
    const { response, newJobs } = await submit(roundKey, accountIds);
    for (const jobId of newJobs) own.add(jobId);
    return response;
  }

  /** One request for each key of these accounts, together one round. A refused request stops no other. */
  function submitAgain(accountIds: readonly string[]): Promise<RequestOutcome[]> {
    const groups = [...Map.groupBy(accountIds, (id) => runs.get(id) ?? 0)];
    return Promise.all(
      groups.map(([run, ids]) =>
        submitRound(keyOfRun(key, run) ?? key, ids).then(
          (response) => ({ response }),
          (failure) => ({ accountIds: ids, error: knownFailure(caller, failure) }),
        ),
      ),
    );
  }

  return {
    /** Another round for these accounts, under their keys. */
    async submit(state: AccountsState, accountIds: readonly string[]): Promise<AccountsState> {
      return withRound(state, await submitAgain(accountIds), caller.language);
    },
    /**
     * The first round, and one more for each earlier run that had no effect.
     * @param begun null to run again what may be; otherwise only the runs that it knows are found
     * @throws the refusal where no account has a job, or where begun jobs could not be found
     */
    async begin(
      accountIds: readonly string[] | null,
      freed: Freed,
      begun: Begun | null,
    ): Promise<AccountsState> {
      let state = openedState(await submitRound(key, accountIds));
      for (let run = 1, found = state.lines; ; run += 1) {
        const runKey = keyOfRun(key, run);
        if (runKey === null) break;
        const again = await freedAccounts(found, freed, own);
        const known = begun && again.length > 0 ? await begun(runKey) : null;
        const ids = known ? again.filter((id) => known.has(id)) : again;
        if (ids.length === 0 || (state.interruption && !begun)) break;
        for (const id of ids) runs.set(id, run);
        const outcomes = await submitAgain(ids);
        const refusal = outcomes.find((outcome) => 'error' in outcome);
        if (refusal && (begun || ids.length === state.lines.length)) throw refusal.error;
        const round = withRound(state, outcomes, caller.language);
        const { interruption, retryAfterSeconds } = state;
        // A round that only finds jobs says nothing of what stopped the accounts without one.
        state = interruption ? { ...round, interruption, retryAfterSeconds } : round;
        const isAgain = new Set(ids);
        found = state.lines.filter((line) => isAgain.has(line.bank_account_credential_id));
      }
      return state;
    },
  };
}

/** The accounts whose earlier run freed its key. */
async function freedAccounts(
  lines: readonly AllAccountsLine[],
  freed: Freed,
  own: ReadonlySet<string>,
): Promise<string[]> {
  const ended = lines.filter(
    ({ status, job_id: id }) =>
      isEndState(status) && status !== 'SUCCEEDED' && id !== null && !own.has(id),
  );
  const jobs = await freed(ended.flatMap(({ job_id: id }) => (id === null ? [] : [id])));
  return ended
    .filter(({ job_id: id }) => id !== null && jobs.has(id))
    .map((line) => line.bank_account_credential_id);
}
