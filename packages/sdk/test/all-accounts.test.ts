import { type AllAccountsCheckpoint, AllAccountsInterruptedError } from '@changgu/sdk';
import type { FakeBankAccount } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import { failureOf, fake, HISTORY } from './support/fake.ts';

const request = { action: HISTORY, params: { from_date: '20261101' } } as const;

function bankAccounts(count: number): FakeBankAccount[] {
  return Array.from({ length: count }, (_, index) => ({
    provider: 'bank_b',
    accountLinkId: 'link-1',
    bankAccountCredentialId: `account-${index}`,
    maskedAccountNo: `123***${index}`,
  }));
}

function setUp(count: number, cap = 3) {
  const all = fake();
  all.service.addBankAccounts(...bankAccounts(count)).setCap(cap);
  return all;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('all accounts', () => {
  it('yields every account once, when its job has ended, over as many rounds as it takes', async () => {
    const { client, service, run } = setUp(8);
    const outcomes = await run(collect(client.jobs.allAccounts(request)));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    const ids = outcomes.map(({ bankAccountCredentialId }) => bankAccountCredentialId);
    expect(new Set(ids).size).toBe(8);
    expect(service.jobs).toHaveLength(8);
  });

  it('gives a failure of one account as data (R84)', async () => {
    const { client, service, run } = setUp(3);
    service.willEnd(HISTORY, ({ bank_account_credential_id: id }) =>
      id === 'account-1'
        ? { state: 'FAILED', code: 'PROVIDER_CREDENTIAL_REJECTED' }
        : { state: 'SUCCEEDED' },
    );
    const outcomes = await run(collect(client.jobs.allAccounts(request)));
    const failed = outcomes.filter(({ ok }) => !ok);
    expect(failed).toMatchObject([
      {
        bankAccountCredentialId: 'account-1',
        error: { name: 'JobFailedError', failure: { code: 'PROVIDER_CREDENTIAL_REJECTED' } },
      },
    ]);
    expect(outcomes).toHaveLength(3);
  });

  it('plays the sandbox outcome in every round, also after a checkpoint (D73)', async () => {
    const { client, service, run } = setUp(5);
    const sandboxOutcome = 'FAILED;code=PROVIDER_MAINTENANCE';
    const rounds = client.jobs.allAccountsRounds({ ...request, sandboxOutcome });
    const first = await run(rounds.next());
    const checkpoint = JSON.parse(JSON.stringify(first.value?.checkpoint));
    const outcomes = await run(collect(client.jobs.allAccounts(checkpoint)));
    const failed = { ok: false, error: { failure: { code: 'PROVIDER_MAINTENANCE' } } };
    expect(outcomes).toMatchObject(Array.from({ length: 5 }, () => failed));
    expect(service.requests.filter(({ path }) => path.endsWith('/all-accounts'))).toHaveLength(2);
  });

  it('sends every round under the one key of the batch, and never before its time', async () => {
    const { client, service, run } = setUp(7);
    const rounds = await run(collect(client.jobs.allAccountsRounds({ ...request, batchKey: 'b' })));
    expect(rounds.map(({ round, submittedCount }) => [round, submittedCount])).toEqual([
      [1, 3],
      [2, 3],
      [3, 1],
    ]);
    const sent = service.requests.filter(({ path }) => path.endsWith('/all-accounts'));
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['b', 'b', 'b']);
    expect(sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))).toEqual([
      10_000, 10_000,
    ]);
    expect(rounds.at(-1)).toMatchObject({ next: null, checkpoint: null });
  });

  it('sends at most one round for each job that ended, and otherwise none before its time', async () => {
    const { client, service, run } = setUp(7, 2);
    const slow = 'account-6';
    service.willEnd(HISTORY, ({ bank_account_credential_id: id }) => ({
      state: 'SUCCEEDED',
      runningMs: id === slow ? 45_000 : 4_000,
    }));
    let others = 0;
    // Another caller takes the room of the first job that ends.
    service.route(({ path }) => {
      if (path.endsWith('/all-accounts')) service.setCap(++others === 2 ? 1 : 2);
      return null;
    });
    const outcomes = await run(collect(client.jobs.allAccounts(request)));
    expect(outcomes).toHaveLength(7);
    const sent = service.requests.filter(({ path }) => path.endsWith('/all-accounts'));
    const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    expect(pauses.filter((pause) => pause >= 10_000)).toHaveLength(1);
    expect(sent.length).toBeLessThanOrEqual(1 + 7);
  });

  it('sends no further round once its reader has left, also during the pause before it', async () => {
    const { client, clock, service, run } = setUp(7);
    const rounds = client.jobs.allAccountsRounds(request);
    await run(rounds.next());
    const next = rounds.next();
    await clock.advance(500);
    await rounds.return();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(clock.pendingTimers).toBe(0);
    expect(service.requests.filter(({ path }) => path.endsWith('/all-accounts'))).toHaveLength(1);
  });

  it('gives a checkpoint before each request; resuming from it after a crash submits nothing twice', async () => {
    const { client, service, run } = setUp(7);
    let stored = '';
    const crashing = async () => {
      const onCheckpoint = (checkpoint: AllAccountsCheckpoint) => {
        stored = JSON.stringify(checkpoint);
        if (checkpoint.round === 3) throw new Error('crash');
      };
      await collect(client.jobs.allAccountsRounds(request, { onCheckpoint }));
    };
    expect(await failureOf(run(crashing()))).toMatchObject({ message: 'crash' });
    expect(service.jobs).toHaveLength(6);

    // The crash may have come after the request: the round is sent twice, under one key.
    const checkpoint: AllAccountsCheckpoint = JSON.parse(stored);
    const other = client.with({});
    await run(collect(other.jobs.allAccountsRounds(checkpoint)));
    const replayed = await run(collect(other.jobs.allAccounts(checkpoint)));
    expect(service.jobs).toHaveLength(7);
    expect(replayed).toHaveLength(7);
  });

  it('repeats a round whose answer was lost under its key', async () => {
    const { client, service, run } = setUp(3);
    service.faults.add({ kind: 'drop', when: 'after' }, { kind: 'truncate' });
    await run(collect(client.jobs.allAccounts(request)));
    expect(service.jobs).toHaveLength(3);
  });

  it('ends after the submitted accounts when the call stopped for a cause that waiting does not clear', async () => {
    const { client, service, run } = setUp(1);
    service.route(({ path, method }) =>
      method === 'POST' && path.endsWith('/all-accounts')
        ? { status: 202, body: interruptedRound('POLICY_QUOTA_EXCEEDED') }
        : null,
    );
    const error = await failureOf(run(collect(client.jobs.allAccounts(request))));
    expect(error).toBeInstanceOf(AllAccountsInterruptedError);
    expect(error).toMatchObject({
      interruption: { code: 'POLICY_QUOTA_EXCEEDED', reason: 'quota_race' },
      checkpoint: { round: 2, bankAccountCredentialIds: ['account-0'] },
    });
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each([
    ['an interruption', { status: 202, body: interruptedRound('POLICY_QUOTA_EXCEEDED') }],
    ['a refusal', { status: 403, body: { error: { code: 'CONSENT_REQUIRED', message: 'no' } } }],
  ])('yields what was submitted before %s, however long its jobs take', async (_, second) => {
    const { client, service, run } = setUp(5);
    service.willEnd(HISTORY, { state: 'SUCCEEDED', runningMs: 3_600_000 });
    let rounds = 0;
    service.route(({ path, method }) => {
      if (method !== 'POST' || !path.endsWith('/all-accounts')) return null;
      rounds += 1;
      return rounds === 1 ? null : second;
    });
    const outcomes: boolean[] = [];
    const work = async () => {
      for await (const { ok } of client.jobs.allAccounts(request)) outcomes.push(ok);
    };
    const error = await failureOf(run(work()));
    expect(outcomes).toEqual([true, true, true]);
    expect(error).toMatchObject({
      code: expect.stringMatching(/ALL_ACCOUNTS_INTERRUPTED|CONSENT_REQUIRED/),
    });
  });

  it('is over at its timeoutMs, also while a round is under way', async () => {
    const { client, service, clock, run } = setUp(1);
    service.faults.add({ kind: 'silence', when: 'before', on: /all-accounts/ });
    const startedAt = clock.now();
    const work = collect(client.jobs.allAccounts(request, { timeoutMs: 2_000 }));
    const error = await failureOf(run(work));
    expect(error).toMatchObject({
      code: 'ALL_ACCOUNTS_TIMEOUT',
      idempotencyKey: expect.any(String),
      checkpoint: { round: 1 },
    });
    expect(clock.now() - startedAt).toBe(2_000);
  });

  it('continues by itself after an interruption that passes', async () => {
    const { client, service, run } = setUp(1);
    let calls = 0;
    service.route(({ path, method }) => {
      if (method !== 'POST' || !path.endsWith('/all-accounts')) return null;
      calls += 1;
      return calls === 1 ? { status: 200, body: interruptedRound('SERVICE_UNAVAILABLE') } : null;
    });
    expect(await run(collect(client.jobs.allAccounts(request)))).toHaveLength(1);
    expect(calls).toBe(2);
  });

  it('stops everything when the loop is left', async () => {
    const { client, service, run, clock } = setUp(8);
    const first = async () => {
      for await (const outcome of client.jobs.allAccounts(request)) return outcome.ok;
      return null;
    };
    expect(await run(first())).toBe(true);
    const before = service.requests.length;
    await clock.advance(60_000);
    expect(service.requests.length).toBe(before);
    expect(clock.pendingTimers).toBe(0);
  });

  it('can be left while the next account is awaited', async () => {
    const { client, service, clock } = setUp(2);
    service.willEnd(HISTORY, { state: 'SUCCEEDED', runningMs: 3_600_000 });
    const outcomes = client.jobs.allAccounts(request);
    const next = outcomes.next();
    await clock.advance(500);
    await outcomes.return();
    expect(await next).toEqual({ done: true, value: undefined });
    await clock.advance(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('rejects on abort', async () => {
    const { client, clock } = setUp(8);
    const stop = new AbortController();
    const work = failureOf(collect(client.jobs.allAccounts(request, { signal: stop.signal })));
    await clock.advance(500);
    stop.abort();
    expect(await work).toMatchObject({ name: 'AbortError' });
    await clock.advance(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('refuses a checkpoint of another environment', () => {
    const { client } = fake();
    const { checkpoint } = client.jobs.allAccounts(request);
    const other = { ...checkpoint, envScope: 'production' } as const;
    expect(() => client.jobs.allAccounts(other)).toThrow('of another environment');
  });

  it('refuses a checkpoint that is damaged', () => {
    const { client } = fake();
    const { checkpoint } = client.jobs.allAccounts(request);
    const damages = [
      { batchKey: 7 },
      { request: 'not JSON' },
      { request: '[]' },
      { round: null },
      { notBefore: 'soon' },
      { pending: [null] },
      { bankAccountCredentialIds: [7] },
    ];
    for (const damage of damages) {
      const damaged = { ...checkpoint, ...damage } as never;
      const [name = ''] = Object.keys(damage);
      expect(() => client.jobs.allAccounts(damaged)).toThrow(`no valid ${name}`);
    }
  });

  it('refuses an empty list of accounts before anything is sent, with the key (R67)', async () => {
    const { client, service } = setUp(8);
    const none = { ...request, bankAccountCredentialIds: [], batchKey: 'batch' };
    const ways = [
      () => client.jobs.allAccounts(none),
      () => client.jobs.allAccountsSteps(none),
      () => client.jobs.allAccountsRounds(none),
    ];
    for (const way of ways) {
      const error = await failureOf((async () => collect<unknown>(way()))());
      expect(error).toMatchObject({ name: 'ConfigurationError', idempotencyKey: 'batch' });
      expect(String(error)).toContain('bankAccountCredentialIds');
    }
    expect(service.requests).toHaveLength(0);
  });

  it('takes null for all accounts, as the service does (R67)', async () => {
    const { client, run } = setUp(2);
    const all = { ...request, bankAccountCredentialIds: null } as never;
    expect(await run(collect(client.jobs.allAccounts(all)))).toHaveLength(2);
  });

  it('has nothing to do for a checkpoint whose accounts were all submitted and handed over', async () => {
    const { client, run, service } = setUp(2);
    const outcomes = client.jobs.allAccounts(request);
    await run(collect(outcomes));
    const { length } = service.requests;
    expect(outcomes.checkpoint).toMatchObject({ bankAccountCredentialIds: [], pending: [] });
    expect(await run(collect(client.jobs.allAccounts(outcomes.checkpoint)))).toEqual([]);
    expect(service.requests).toHaveLength(length);
  });
});

function interruptedRound(code: string) {
  return {
    env_scope: 'sandbox',
    provider: 'bank_b',
    action: HISTORY,
    submitted_at: '2026-11-21T09:00:00.000+09:00',
    account_count: 1,
    submitted_count: 0,
    accounts: [
      {
        account_link_id: 'link-1',
        bank_account_credential_id: 'account-0',
        masked_account_no: '123***0',
        job_id: null,
        status: 'NOT_SUBMITTED',
        reason: 'interrupted',
      },
    ],
    next: { retry_after_seconds: 5, bank_account_credential_ids: ['account-0'], message: 'later' },
    interruption: { code, message: 'stopped', reason: 'quota_race' },
  };
}
