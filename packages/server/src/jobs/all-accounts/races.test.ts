import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../rules/service-error.ts';
import { openStore, type Store } from '../../store/database.ts';
import { describeStores } from '../../store/testing/describe-stores.ts';
import { ALL_JOBS } from '../../store/testing/no-filter.ts';
import { cancelJob } from '../cancel.ts';
import {
  type AllAccountsHarness,
  BANK_B,
  BANK_D,
  linesOf,
  openAllAccountsHarness,
} from '../testing/all-accounts-harness.ts';
import { type AllAccountsCall, submitAllAccounts } from './submit-all-accounts.ts';

type Submit = Store['allAccounts']['submit'];

/** A busy machine makes them wait for longer than a caller should, but never forever. */
const PATIENT = { answerMs: 60_000, maxLockMs: 30_000 };

/** Calls with something happening around each of its transactions. */
function callAround(
  harness: AllAccountsHarness,
  around: (submit: () => ReturnType<Submit>, number: number) => ReturnType<Submit>,
  changes: Partial<AllAccountsCall> = {},
  reads: Partial<Pick<Store['allAccounts'], 'jobsOfKey'>> = {},
) {
  let number = 0;
  const { allAccounts } = harness.dependencies.store;
  const submit: Submit = (input) => {
    number += 1;
    return around(() => allAccounts.submit(input), number);
  };
  const store = { allAccounts: { ...allAccounts, ...reads, submit } };
  return submitAllAccounts({ ...harness.dependencies, store }, harness.call(changes));
}

async function useTokens(harness: AllAccountsHarness, count: number): Promise<void> {
  await harness.link(0, 'bank_a');
  for (let n = 0; n < count; n += 1) {
    await harness.submit({ envScope: 'real_test', action: 'bank_a.accounts.list' });
  }
}

describeStores('all-accounts among others', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('keeps the jobs of k lines and interrupts the rest when tokens run out after line k (R73)', async () => {
    for (const [stolen, submitted] of [
      [1, 3],
      [2, 2],
      [3, 1],
    ] as const) {
      const harness = await openAllAccountsHarness(stores, store, { daily: 4 });
      const older = await harness.link(2);
      const newer = await harness.link(2);
      const order = [...newer.accounts.toReversed(), ...older.accounts.toReversed()];
      const { accepted, response } = await callAround(harness, async (submit, number) => {
        if (number === 1) await useTokens(harness, stolen);
        return submit();
      });
      expect(accepted).toBe(true);
      expect(linesOf(response)).toEqual(
        order.map((id, index) => `${id}: ${index < submitted ? 'QUEUED' : 'interrupted'}`),
      );
      expect(response.submitted_count).toBe(submitted);
      expect(response.interruption).toEqual({
        code: 'POLICY_QUOTA_EXCEEDED',
        message: expect.stringContaining('남은 토큰은 0개'),
        reason: 'quota_race',
      });
      expect(response.next?.bank_account_credential_ids).toEqual(order.slice(submitted));
      expect(await harness.usedToday()).toBe(4);
      expect(await harness.countJobs()).toBe(4);
    }
  });

  it('stops at a two-token line when one token is left (R73)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 6 });
    await harness.link(3, 'bank_d');
    const { response } = await callAround(
      harness,
      async (submit) => {
        await useTokens(harness, 1);
        return submit();
      },
      { action: BANK_D },
    );
    expect(response.submitted_count).toBe(2);
    expect(response.interruption?.message).toContain('필요한 토큰은 2개, 남은 토큰은 1개');
    expect(await harness.usedToday()).toBe(5);
  });

  it('tokens gone at the first line: 429, and the key is still free (R74)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 2 });
    await harness.link(2);
    const refused = callAround(
      harness,
      async (submit) => {
        await useTokens(harness, 2);
        return submit();
      },
      { idempotencyKey: 'k' },
    );
    await expect(refused).rejects.toMatchObject({
      code: 'POLICY_QUOTA_EXCEEDED',
      status: 429,
      details: { message: { ko: expect.stringContaining('계좌 2개에 필요한 토큰은 2개') } },
    });
    expect(await harness.countJobs()).toBe(2);
    await store.clock.advance({ seconds: 86_400 });
    const other = { idempotencyKey: 'k', params: { order: 'asc' } };
    expect((await harness.submitAll(other)).accepted).toBe(true);
  });

  it('tokens gone for an added account: the whole replay is refused (R79)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 3 });
    await harness.link(1);
    await harness.submitAll({ idempotencyKey: 'k' });
    await harness.link(2);
    const refused = callAround(
      harness,
      async (submit) => {
        await useTokens(harness, 2);
        return submit();
      },
      { idempotencyKey: 'k' },
    );
    await expect(refused).rejects.toMatchObject({ code: 'POLICY_QUOTA_EXCEEDED' });
    expect(await harness.countJobs()).toBe(3);
  });

  it('reports truly what was submitted when the store is lost midway (D127)', async () => {
    for (const committed of [false, true]) {
      const harness = await openAllAccountsHarness(stores, store, { daily: 1_000 });
      const older = await harness.link(120);
      await harness.link(120);
      // The first transaction takes 200 lines: all of the newer link, and the newest of the older.
      const last = older.accounts.toReversed().slice(80);
      const key = { idempotencyKey: 'k' };
      const away = () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'));
      const { accepted, newJobs, response } = await callAround(
        harness,
        async (submit, number) => {
          if (number === 2 && !committed) return away();
          const outcome = await submit();
          return number === 2 ? away() : outcome;
        },
        key,
        // A store that commits nothing more is read no more either.
        committed ? {} : { jobsOfKey: away },
      );
      expect(accepted).toBe(true);
      expect(newJobs.size).toBe(committed ? 240 : 200);
      if (!committed) expect(linesOf(response)[0]).toMatch(/QUEUED/);
      expect(response.submitted_count).toBe(committed ? 240 : 200);
      expect(response.interruption?.reason).toBe(committed ? undefined : 'store_error');
      expect(response.next?.bank_account_credential_ids).toEqual(committed ? undefined : last);
      const again = await harness.submitAll(key);
      expect(again.response.submitted_count).toBe(240);
      expect(await harness.countJobs()).toBe(240);
    }
  });

  it('the store away at the first line is an error, and a retry finds nothing done (D127)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(2);
    const away = callAround(harness, async () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    });
    await expect(away).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(await harness.countJobs()).toBe(0);
  });

  it('drops the line of an account that is unlinked meanwhile (D105)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const { accounts } = await harness.link(3);
    const [first = '', ...others] = accounts;
    const { response } = await callAround(harness, async (submit) => {
      await harness.unlinkAccount(first);
      return submit();
    });
    expect(response.account_count).toBe(2);
    expect(response.next).toBeNull();
    const none = callAround(harness, async (submit) => {
      for (const id of others) await harness.unlinkAccount(id);
      return submit();
    });
    await expect(none).rejects.toMatchObject({ code: 'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND' });
    expect(await harness.countJobs()).toBe(2);
  });

  it('a consent that is revoked meanwhile refuses the call (D94)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(2);
    const refused = callAround(harness, async (submit) => {
      await stores.execute('update organizations set consent_blocked = 1 where id = ?', [
        harness.organizationId,
      ]);
      return submit();
    });
    await expect(refused).rejects.toMatchObject({ code: 'POLICY_CONSENT_REQUIRED' });
    expect(await harness.countJobs()).toBe(0);
  });

  it('ten equal calls at once make one job per account (R18)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 6 });
    await harness.link(3);
    await harness.link(3);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => harness.submitAll({ idempotencyKey: 'same' })),
    );
    const ids = answers.flatMap(({ response }) => response.accounts.map((line) => line.job_id));
    expect(new Set(ids).size).toBe(6);
    expect(answers.some(({ accepted }) => accepted)).toBe(true);
    expect(await harness.countJobs()).toBe(6);
    expect(await harness.usedToday()).toBe(6);
  });

  it('calls at once do not pass the cap together (R75, D44)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { cap: 5 });
    await harness.link(2);
    await harness.link(2);
    await harness.link(2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => harness.submitAll()));
    const submitted = answers.reduce((sum, { response }) => sum + response.submitted_count, 0);
    expect(submitted).toBe(5);
    expect(await harness.countJobs()).toBe(5);
  });

  it('two different requests at once with one key: one of them is a conflict (D30)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(2);
    await harness.link(2, 'bank_d');
    const answers = await Promise.allSettled(
      [BANK_B, BANK_D].map((action) => harness.submitAll({ action, idempotencyKey: 'same' })),
    );
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    );
    expect(refused).toEqual([expect.objectContaining({ code: 'IDEMPOTENCY_KEY_CONFLICT' })]);
    expect(await harness.countJobs()).toBe(2);
  });

  it('never answers with the jobs of another request that took the key meanwhile (D30)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(2);
    const mine = { idempotencyKey: 'k' };
    const other = { idempotencyKey: 'k', params: { order: 'asc' } };
    const loser = callAround(
      harness,
      async (submit) => {
        await harness.submitAll(other);
        return submit();
      },
      mine,
    );
    await expect(loser).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT' });
    expect(await harness.countJobs()).toBe(2);
  });

  it('leaves blocked lines open when another request takes the key afterwards (D30, R75)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { cap: 2 });
    const { id, accounts } = await harness.link(2);
    await harness.submitAll();
    const { accepted, response } = await callAround(
      harness,
      async (submit) => {
        const outcome = await submit();
        await harness.finishAll();
        await harness.submitAll({ idempotencyKey: 'k', params: { order: 'asc' } });
        return outcome;
      },
      { idempotencyKey: 'k', accountLinkId: id },
    );
    expect(accepted).toBe(false);
    const blocked = accounts.map((account) => `${account}: over_concurrency_limit`);
    expect(linesOf(response)).toEqual(blocked.toReversed());
  });
});

describeStores('all callers at once', (stores) => {
  it('never deadlocks all-accounts, single submissions and cancellations on the same links (R134)', async () => {
    const looker = await stores.open();
    // A separate store: PostgreSQL counts what its connections met when they close.
    const store = await openStore({ url: await stores.url(), ...PATIENT });
    const harness = await openAllAccountsHarness(stores, store, { daily: 60 });
    const links = [await harness.link(3), await harness.link(3), await harness.link(3)];
    const single = (n: number) =>
      harness.submit({
        envScope: 'real_test',
        action: BANK_B,
        accountLinkId: links[n % 3]?.id ?? null,
        params: { bank_account_credential_id: links[n % 3]?.accounts[n % 2] ?? '' },
      });
    const cancelNewest = async () => {
      const access = harness.access('real_test');
      const jobs = await looker.jobs.list({ ...ALL_JOBS, access, limit: 3 });
      await Promise.all(jobs.map(({ id }) => cancelJob(store, access, id)));
    };
    const acts = Array.from({ length: 45 }, (_, n) => {
      if (n % 3 === 0) return harness.submitAll();
      return n % 3 === 1 ? single(n) : cancelNewest();
    });
    const failed = (await Promise.allSettled(acts)).flatMap((act) =>
      act.status === 'rejected' ? [act.reason] : [],
    );
    expect(failed.filter((error) => !isExpected(error))).toEqual([]);
    const used = await harness.usedToday();
    const [charged] = await stores.execute(
      `select coalesce(sum(usage_tokens), 0) as tokens from jobs
       where organization_id = ? and not (status = 'CANCELED' and started_at is null)`,
      [harness.organizationId],
    );
    expect(used).toBe(Number(charged?.tokens));
    expect(used).toBeLessThanOrEqual(60);
    await store.close();
    expect(await deadlocks()).toBe(0);
  }, 120_000);

  // Locks of rows are PostgreSQL's.
  describe.skipIf(stores.dialect === 'sqlite')('row by row', () => {
    let store: Store;
    let harness: AllAccountsHarness;
    let linkId: string;
    let other: pg.Client;
    beforeEach(async () => {
      store = await stores.open(PATIENT);
      harness = await openAllAccountsHarness(stores, store);
      linkId = (await harness.link(1)).id;
      other = new pg.Client(await stores.url());
      await other.connect();
      await other.query('begin');
    });

    afterEach(() => other.end());

    /** In the transaction of the other. */
    async function run(statement: string): Promise<number | null> {
      return (await other.query(statement, [harness.organizationId])).rowCount;
    }

    /** Ends when an act has ended or waits for a lock. Answers whether it waits. */
    async function untilItWaits(act: Promise<unknown>): Promise<boolean> {
      let isDone = false;
      void act.finally(() => {
        isDone = true;
      });
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      const waits = async () => (await stores.execute(waiting)).length > 0;
      await vi.waitFor(async () => expect(isDone || (await waits())).toBe(true), 10_000);
      return !isDone;
    }

    it('never waits for the key of a call while it holds tokens, when it unlinks (R134)', async () => {
      for (const idempotencyKey of ['older', 'newer']) await harness.submitAll({ idempotencyKey });
      await run(`select 1 from all_accounts_keys
        where organization_id = $1 and idempotency_key = 'older' for update`);
      const unlinked = store.unlink.unlink({
        id: linkId,
        organizationId: harness.organizationId,
        reason: 'user_request',
        actor: { kind: 'system', id: 'test', traceId: null },
      });
      expect(await untilItWaits(unlinked)).toBe(true);
      const tokens = 'select 1 from usage where organization_id = $1 for update nowait';
      expect(await run(tokens)).toBe(2);
      await other.query('commit');
      await unlinked;
      expect(await harness.usedToday()).toBe(0);
    });

    it('never purges the key of a call that is using it again (D30)', async () => {
      await harness.submitAll({ idempotencyKey: 'old' });
      // As if its jobs were purged, and new ones were not committed yet.
      await stores.execute('delete from jobs where organization_id = ?', [harness.organizationId]);
      await harness.submitAll({ idempotencyKey: 'new' });
      await run(`update all_accounts_keys set request_hash = request_hash
        where organization_id = $1 and idempotency_key = 'old'`);
      await run(`update jobs set idempotency_key = 'old' where organization_id = $1`);
      const purged = store.engine.purgeAllAccountsKeys(0);
      await untilItWaits(purged);
      await other.query('commit');
      await purged;
      const keys = 'select idempotency_key as key from all_accounts_keys where organization_id = ?';
      const left = await stores.execute(keys, [harness.organizationId]);
      expect(left.map(({ key }) => key)).toContain('old');
    });
  });

  async function deadlocks(): Promise<number> {
    if (stores.dialect === 'sqlite') return 0;
    const [row] = await stores.execute(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return Number(row?.deadlocks);
  }
});

function isExpected(error: unknown): boolean {
  const codes = ['POLICY_QUOTA_EXCEEDED', 'JOB_ALREADY_FINISHED'];
  return error instanceof ServiceError && codes.includes(error.code);
}
