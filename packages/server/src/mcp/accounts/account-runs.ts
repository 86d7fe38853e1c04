import { isEndState, keyOfRun } from '@changgu/contract';
import type { AllAccountsLine, AllAccountsResponse } from '@changgu/contract/schemas';
import { type AccountsState, openedState, withRound } from './accounts-state.ts';

/** One round under a key; null for every account. */
export type SubmitAccounts = (
  key: string,
  accountIds: readonly string[] | null,
) => Promise<AllAccountsResponse>;

/** The accounts that have a job under a key. */
type Begun = (key: string) => Promise<ReadonlySet<string>>;

/** Which of these jobs freed their key. */
type Freed = (jobIds: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The rounds of one call. All accounts share its key, except those whose earlier job freed it: each of them has the key
 * of its own next run, so that repeating a call runs again what failed without effect, and nothing else.
 */
export function accountRuns(key: string, submit: SubmitAccounts) {
  const runs = new Map<string, number>();

  /** One request for each key of these accounts, together one round. */
  async function submitAgain(accountIds: readonly string[]): Promise<AllAccountsResponse> {
    const groups = [...Map.groupBy(accountIds, (id) => runs.get(id) ?? 0)];
    const [first, ...others] = await Promise.all(
      groups.map(([run, ids]) => submit(keyOfRun(key, run) ?? key, ids)),
    );
    if (first === undefined) throw new Error('a round has accounts');
    return others.reduce(together, first);
  }

  return {
    submit: submitAgain,
    /**
     * The first round, and one more for each earlier run that had no effect.
     * @param begun null to run again what may be; otherwise only the runs that it knows are found
     */
    async begin(
      accountIds: readonly string[] | null,
      freed: Freed,
      begun: Begun | null,
    ): Promise<AccountsState> {
      let state = openedState(await submit(key, accountIds));
      for (let run = 1, found = state.lines; ; run += 1) {
        const runKey = keyOfRun(key, run);
        if (runKey === null) break;
        const again = await freedAccounts(found, freed);
        const known = begun && again.length > 0 ? await begun(runKey) : null;
        const ids = known ? again.filter((id) => known.has(id)) : again;
        if (ids.length === 0 || state.interruption) break;
        for (const id of ids) runs.set(id, run);
        state = withRound(state, await submitAgain(ids));
        const isAgain = new Set(ids);
        found = state.lines.filter((line) => isAgain.has(line.bank_account_credential_id));
      }
      return state;
    },
  };
}

function together(one: AllAccountsResponse, other: AllAccountsResponse): AllAccountsResponse {
  return { ...one, ...other, accounts: [...one.accounts, ...other.accounts] };
}

/** Whatever has ended when a round is answered was there before it. */
async function freedAccounts(lines: readonly AllAccountsLine[], freed: Freed): Promise<string[]> {
  const ended = lines.filter(({ status }) => isEndState(status) && status !== 'SUCCEEDED');
  const jobs = await freed(ended.flatMap(({ job_id: id }) => (id === null ? [] : [id])));
  return ended
    .filter(({ job_id: id }) => id !== null && jobs.has(id))
    .map((line) => line.bank_account_credential_id);
}
