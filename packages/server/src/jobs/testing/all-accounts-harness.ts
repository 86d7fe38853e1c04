import type { EnvScope } from '@changgu/contract';
import type { AllAccountsResponse } from '@changgu/contract/schemas';
import type { Store } from '../../store/database.ts';
import type { TestStores } from '../../store/testing/describe-stores.ts';
import { seedBankAccounts, seedLink } from '../../store/testing/seed.ts';
import {
  type AllAccountsAnswer,
  type AllAccountsCall,
  type AllAccountsDependencies,
  findAllAccounts,
  submitAllAccounts,
} from '../all-accounts/submit-all-accounts.ts';
import { openJobHarness } from './job-harness.ts';

export const BANK_B = 'bank_b.accounts.transaction_history.search';
/** Two tokens per line. */
export const BANK_D = 'bank_d.accounts.transaction_history.search';

type HarnessOptions = NonNullable<Parameters<typeof openJobHarness>[2]> & {
  readonly cap?: number;
  /** Tokens of real_test per day. */
  readonly daily?: number;
};

/** A job harness with everything that an all-accounts call needs: links with bank accounts, and the call. */
export type AllAccountsHarness = Awaited<ReturnType<typeof openAllAccountsHarness>>;

export async function openAllAccountsHarness(
  stores: TestStores,
  store: Store,
  { cap = 1_000, daily, ...options }: HarnessOptions = {},
) {
  const real_test = { daily: daily ?? 100, monthly: null };
  const plans = { FREE: { real_test, production: { daily: 0, monthly: 0 } } };
  const harness = await openJobHarness(stores, store, {
    ...options,
    rules: { plans, ...options.rules },
  });
  const dependencies: AllAccountsDependencies = {
    store,
    rules: harness.dependencies.rules,
    cap: { jobs: cap, windowSeconds: 600 },
  };

  function call(changes: Partial<AllAccountsCall> = {}): AllAccountsCall {
    const { submitter, idempotencyKey } = harness.request();
    const action = changes.action ?? BANK_B;
    return {
      submitter,
      envScope: 'real_test',
      idempotencyKey,
      provider: action.slice(0, action.indexOf('.')),
      action,
      accountLinkId: null,
      bankAccountCredentialIds: null,
      params: {},
      sandboxOutcome: null,
      language: 'ko',
      ...changes,
    };
  }

  return {
    ...harness,
    dependencies,
    call,
    /** Calls with a new key, unless the changes include one. */
    submitAll: (changes: Partial<AllAccountsCall> = {}): Promise<AllAccountsAnswer> =>
      submitAllAccounts(dependencies, call(changes)),
    /** What earlier calls under the key have come to. */
    findAll: (changes: Partial<AllAccountsCall>): Promise<AllAccountsAnswer | null> =>
      findAllAccounts(dependencies, call(changes)),
    ...accountsOf(stores, harness.organizationId),
    /** Runs everything that is queued, lane by lane. */
    async finishAll(envScope: EnvScope = 'real_test'): Promise<void> {
      for (;;) {
        const claimed = await harness.claim(envScope);
        if (claimed.length === 0) return;
        for (const job of claimed) await harness.finish(job);
      }
    },
    /** Tokens used today. */
    async usedToday(): Promise<number> {
      const used = await harness.usedTokens('real_test');
      return Object.entries(used).find(([period]) => period.startsWith('day:'))?.[1] ?? 0;
    },
  };
}

function accountsOf(stores: TestStores, organizationId: number) {
  return {
    /** A link with this many accounts; both oldest first. */
    async link(
      accounts: number,
      provider = 'bank_b',
    ): Promise<{ readonly id: string; readonly accounts: readonly string[] }> {
      const id = await seedLink(stores, organizationId, { provider });
      return { id, accounts: await seedBankAccounts(stores, id, accounts) };
    },
    async unlinkAccount(accountId: string): Promise<void> {
      await stores.execute(
        "update bank_accounts set status = 'UNLINKED', unlinked_at = 1 where id = ?",
        [accountId],
      );
    },
    /** As when its bank refused the password. */
    async suspendAccount(accountId: string): Promise<void> {
      await stores.execute(
        "update bank_accounts set status = 'SUSPENDED', suspended_code = 'AUTH_INVALID_CREDENTIALS' where id = ?",
        [accountId],
      );
    },
  };
}

/** `account: status` of every line, with the reason if there is one. */
export function linesOf({ accounts }: AllAccountsResponse): string[] {
  return accounts.map(
    (line) => `${line.bank_account_credential_id}: ${line.reason ?? line.status}`,
  );
}

export function jobIdsOf({ accounts }: AllAccountsResponse): (string | null)[] {
  return accounts.map(({ job_id: id }) => id);
}
