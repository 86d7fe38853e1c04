import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../../store/database.ts';
import { describeStores } from '../../store/testing/describe-stores.ts';
import {
  markUnlinked,
  seedBankAccount,
  seedLink,
  seedOrganization,
} from '../../store/testing/seed.ts';
import {
  BANK_B,
  BANK_D,
  jobIdsOf,
  linesOf,
  openAllAccountsHarness,
} from '../testing/all-accounts-harness.ts';

const code = (name: string) => expect.objectContaining({ code: name });

describeStores('POST /v1/jobs/all-accounts', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('orders lines by newest link and newest account, whatever order was sent (R63)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const a = await harness.link(2);
    const b = await harness.link(2);
    const order = [...b.accounts.toReversed(), ...a.accounts.toReversed()];
    const all = await harness.submitAll();
    expect(all.response.accounts.map((line) => line.bank_account_credential_id)).toEqual(order);
    expect(all.response.accounts.map((line) => line.account_link_id)).toEqual([
      b.id,
      b.id,
      a.id,
      a.id,
    ]);
    const sent = [a.accounts[0], b.accounts[1], a.accounts[1]].map(String);
    const some = await harness.submitAll({ bankAccountCredentialIds: [...sent, ...sent] });
    expect(some.response.accounts.map((line) => line.bank_account_credential_id)).toEqual(
      order.filter((id) => sent.includes(id)),
    );
    const rows = await stores.execute(
      'select bank_account_credential_id as id from jobs where organization_id = ? order by seq limit 4',
      [harness.organizationId],
    );
    expect(rows.map(({ id }) => id)).toEqual(order);
  });

  it('answers every line with its job, without next and interruption (R64, R65, R66, R77)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const { id, accounts } = await harness.link(2);
    const { accepted, response } = await harness.submitAll({ idempotencyKey: 'k' });
    expect(accepted).toBe(true);
    expect(response).toEqual({
      env_scope: 'real_test',
      provider: 'bank_b',
      action: BANK_B,
      submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/),
      account_count: 2,
      submitted_count: 2,
      accounts: accounts.toReversed().map((account) => ({
        account_link_id: id,
        bank_account_credential_id: account,
        masked_account_no: '110*****0001',
        job_id: expect.stringMatching(/^job_[0-9A-HJKMNP-TV-Z]{26}$/),
        status: 'QUEUED',
        reason: null,
      })),
      next: null,
    });
    expect(Object.hasOwn(response, 'interruption')).toBe(false);
    const replay = await harness.submitAll({ idempotencyKey: 'k' });
    expect(replay.accepted).toBe(false);
    expect(replay.response).toEqual({ ...response, submitted_at: expect.any(String) });
    expect(await harness.countJobs()).toBe(2);
  });

  it('refuses an account in params and an action that selects none (R69, R70)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(1);
    const at400 = (field: string) =>
      expect.objectContaining({
        code: 'VALIDATION_INVALID_FIELD',
        status: 400,
        details: expect.objectContaining({
          fields: [expect.objectContaining({ loc: ['body', ...field.split('.')] })],
        }),
      });
    const wrong = [
      [{ params: { bank_account_credential_id: 'x' } }, 'params.bank_account_credential_id'],
      [{ params: { bank_account_credential_ids: [] } }, 'params.bank_account_credential_ids'],
      [{ params: { bank_account_credential_ids: ['x'] } }, 'params.bank_account_credential_ids'],
      [{ params: { password: 'x' } }, 'params.password'],
      [{ action: 'bank_b.accounts.list' }, 'action'],
      [{ action: 'employment.auth.npki_session.login' }, 'action'],
      [{ action: 'bank_b.no_such_action' }, 'action'],
      [{ provider: 'no_such', action: 'no_such.action' }, 'provider'],
      [{ provider: 'bank_c', action: BANK_B }, 'provider'],
    ] as const;
    for (const [changes, field] of wrong) {
      await expect(harness.submitAll(changes), field).rejects.toEqual(at400(field));
    }
    expect(await harness.countJobs()).toBe(0);
    const nothing = await harness.submitAll({ params: { bank_account_credential_id: null } });
    expect(nothing.response.submitted_count).toBe(1);
  });

  it('gives each line the params of the call and its account (D72)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const { accounts } = await harness.link(2);
    const params = { memo: '"따옴표" \\ \u0000', order: 'asc', bank_account_credential_id: null };
    await harness.submitAll({ params, envScope: 'sandbox' });
    const rows = await stores.execute(
      'select params, idempotency_account from jobs where organization_id = ? order by seq',
      [harness.organizationId],
    );
    expect(rows.map((row) => JSON.parse(String(row.params)))).toEqual(
      accounts.toReversed().map((id) => ({ ...params, bank_account_credential_id: id })),
    );
    expect(rows.map((row) => row.idempotency_account)).toEqual(accounts.toReversed());
  });

  it('answers 429 with the numbers and submits nothing when more is needed than remains (R71)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 4 });
    await harness.link(3);
    await harness.submitAll();
    await expect(harness.submitAll()).rejects.toMatchObject({
      code: 'POLICY_QUOTA_EXCEEDED',
      status: 429,
      details: {
        message: {
          ko: expect.stringMatching(/계좌 3개에 필요한 토큰은 3개, 남은 토큰은 1개/),
          en: expect.stringMatching(/3 needed for 3 accounts, 1 remaining/),
        },
        retryable: true,
      },
    });
    expect(await harness.countJobs()).toBe(3);
    expect(await harness.usedToday()).toBe(3);
  });

  it('charges two tokens a line where the action costs two (R72)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 6 });
    await harness.link(3, 'bank_d');
    await harness.submitAll({ action: BANK_D });
    expect(await harness.usedToday()).toBe(6);
    const short = await openAllAccountsHarness(stores, store, { daily: 5 });
    await short.link(3, 'bank_d');
    await expect(short.submitAll({ action: BANK_D })).rejects.toMatchObject({
      code: 'POLICY_QUOTA_EXCEEDED',
      details: { message: { ko: expect.stringContaining('6개') }, retryable: false },
    });
    expect(await short.countJobs()).toBe(0);
  });

  it('finds the jobs of a key without tokens for the rest, and submits none of it (R73, R119)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 3, cap: 2 });
    const { accounts } = await harness.link(5);
    const [a, b, ...rest] = accounts.toReversed();
    const under = { idempotencyKey: 'k' };
    expect(await harness.findAll(under)).toBeNull();
    const paid = { ...under, bankAccountCredentialIds: accounts.slice(2) };
    const first = await harness.submitAll(paid);
    await expect(harness.submitAll(under)).rejects.toMatchObject({ code: 'POLICY_QUOTA_EXCEEDED' });
    const found = await harness.findAll(under);
    expect(linesOf(found?.response ?? first.response)).toEqual([
      `${a}: QUEUED`,
      `${b}: QUEUED`,
      ...rest.map((id) => `${id}: interrupted`),
    ]);
    expect(found?.response.interruption?.code).toBe('POLICY_QUOTA_EXCEEDED');
    await harness.finishAll();
    const one = await harness.findAll(paid);
    expect(linesOf(one?.response ?? first.response)).toEqual([
      `${a}: SUCCEEDED`,
      `${b}: SUCCEEDED`,
      `${rest[0]}: over_concurrency_limit`,
    ]);
    expect(await harness.countJobs()).toBe(2);
  });

  it('blocks lines at the cap, free of charge, and lists them in next (R75, R77, D130)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { cap: 3 });
    const { accounts } = await harness.link(5);
    const order = accounts.toReversed();
    const { accepted, response } = await harness.submitAll();
    expect(accepted).toBe(true);
    expect(linesOf(response)).toEqual(
      order.map((id, index) => `${id}: ${index < 3 ? 'QUEUED' : 'over_concurrency_limit'}`),
    );
    expect([response.account_count, response.submitted_count]).toEqual([5, 3]);
    expect(response.next).toEqual({
      retry_after_seconds: 10,
      bank_account_credential_ids: order.slice(3),
      message: expect.stringContaining('2개'),
    });
    expect(Object.hasOwn(response, 'interruption')).toBe(false);
    expect(await harness.usedToday()).toBe(3);

    const blocked = await harness.submitAll({ bankAccountCredentialIds: order.slice(3) });
    expect(blocked.accepted).toBe(false);
    expect(blocked.response).toMatchObject({ account_count: 2, submitted_count: 0 });
    expect(blocked.response.next?.bank_account_credential_ids).toEqual(order.slice(3));
    expect(jobIdsOf(blocked.response)).toEqual([null, null]);
  });

  it('counts single submissions toward the cap, but not finished or old jobs (R76)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { cap: 3 });
    const { id, accounts } = await harness.link(3);
    const single = { envScope: 'real_test', action: BANK_B, accountLinkId: id } as const;
    const account = { bank_account_credential_id: String(accounts[0]) };
    await harness.submit({ ...single, params: account });
    await harness.submit({ ...single, params: account });
    const first = await harness.submitAll();
    expect(first.response.submitted_count).toBe(1);
    await harness.submit({ ...single, params: account });
    await harness.finishAll();
    const second = await harness.submitAll();
    expect(second.response.submitted_count).toBe(3);
    expect((await harness.submitAll()).response.submitted_count).toBe(0);
    await store.clock.advance({ seconds: 601 });
    expect((await harness.submitAll()).response.submitted_count).toBe(3);
  });

  it('refuses the whole call for one account outside the selected links (R82, D129)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const mine = await harness.link(2);
    const other = await harness.link(1);
    const elsewhere = await harness.link(1, 'bank_c');
    const stranger = await seedOrganization(stores);
    const foreign = await seedBankAccount(stores, await seedLink(stores, stranger));
    const unlinked = await seedBankAccount(stores, mine.id);
    await harness.unlinkAccount(unlinked);
    const missing = code('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
    const own = mine.accounts.map(String);
    const refused = [foreign, unlinked, String(elsewhere.accounts[0]), randomUUID(), '', 'a\u0000'];
    for (const envScope of ['real_test', 'sandbox'] as const) {
      for (const id of refused) {
        const ids = { envScope, bankAccountCredentialIds: [...own, id] };
        await expect(harness.submitAll(ids)).rejects.toEqual(missing);
      }
      const narrowed = { envScope, accountLinkId: mine.id };
      await expect(
        harness.submitAll({ ...narrowed, bankAccountCredentialIds: [...other.accounts] }),
      ).rejects.toEqual(missing);
    }
    expect(await harness.countJobs()).toBe(0);
    const empty = await harness.link(0);
    await expect(harness.submitAll({ accountLinkId: empty.id })).rejects.toEqual(missing);
    const narrowed = await harness.submitAll({ accountLinkId: mine.id });
    expect(narrowed.response.account_count).toBe(2);
    const capitals = own.map((id) => id.toUpperCase());
    expect((await harness.submitAll({ bankAccountCredentialIds: capitals })).accepted).toBe(true);
  });

  it('queries active accounts only, not those that the bank refused or locked (D107, R82)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const { accounts } = await harness.link(2);
    const [active = '', suspended = ''] = accounts;
    await harness.suspendAccount(suspended);
    const { response } = await harness.submitAll();
    expect(response.accounts).toMatchObject([{ bank_account_credential_id: active }]);
    const missing = code('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
    await expect(
      harness.submitAll({ bankAccountCredentialIds: [active, suspended] }),
    ).rejects.toEqual(missing);
    await harness.suspendAccount(active);
    await expect(harness.submitAll()).rejects.toEqual(missing);
    expect(await harness.countJobs()).toBe(1);
  });

  it('refuses a foreign link, one of another bank, an unlinked one and a bank without links (R83)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const parent = code('BANK_ACCOUNT_PARENT_NOT_FOUND');
    await expect(harness.submitAll()).rejects.toEqual(parent);
    await expect(harness.submitAll({ envScope: 'sandbox' })).rejects.toEqual(parent);
    const { accounts } = await harness.link(1);
    const gone = await harness.link(1);
    await markUnlinked(stores, gone.id);
    const stranger = await seedLink(stores, await seedOrganization(stores));
    const otherBank = await harness.link(1, 'bank_c');
    for (const accountLinkId of [stranger, otherBank.id, gone.id, randomUUID(), 'x', '\u0000']) {
      await expect(harness.submitAll({ accountLinkId })).rejects.toEqual(parent);
      const both = { accountLinkId, bankAccountCredentialIds: [...accounts, randomUUID()] };
      await expect(harness.submitAll(both)).rejects.toEqual(parent);
    }
    const all = await harness.submitAll();
    expect(all.response.account_count).toBe(1);
  });

  it('runs lines of one link one after another, and those of two links independently (R86, D16)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(3);
    await harness.link(2);
    await harness.submitAll();
    const rows = await stores.execute(
      'select ready, lane from jobs where organization_id = ? order by seq',
      [harness.organizationId],
    );
    expect(rows.map(({ ready }) => Number(ready))).toEqual([1, 0, 1, 0, 0]);
    const claimed = await harness.claim('real_test');
    expect(claimed).toHaveLength(2);
    expect(await harness.claim('real_test')).toHaveLength(0);
    const waiting = await stores.execute(
      'select waited_behind from jobs where organization_id = ? order by seq',
      [harness.organizationId],
    );
    expect(waiting.map((row) => Number(row.waited_behind))).toEqual([0, 1, 0, 1, 2]);
  });

  it('leaves the other accounts alone when one fails (R84)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(3);
    await harness.submitAll({ idempotencyKey: 'k' });
    for (const status of ['SUCCEEDED', 'FAILED', 'SUCCEEDED'] as const) {
      for (const job of await harness.claim('real_test')) {
        const error = status === 'FAILED' ? { error: '{"code":"PROVIDER_UPSTREAM_ERROR"}' } : {};
        await harness.finish(job, { status, ...error });
      }
    }
    const { response } = await harness.submitAll({ idempotencyKey: 'k' });
    expect(response.accounts.map(({ status }) => status)).toEqual([
      'SUCCEEDED',
      'FAILED',
      'SUCCEEDED',
    ]);
  });

  it('refuses in the decided order (D19, D48, D141)', async () => {
    const harness = await openAllAccountsHarness(stores, store, {
      daily: 1,
      organization: { realTest: false },
      rules: { isConfigured: () => false },
    });
    const { submitter } = harness.call();
    const steps = [
      [{ submitter: { ...submitter, allowedEnvScopes: ['sandbox'] } }, 'POLICY_ENV_NOT_ALLOWED'],
      [{ submitter: { ...submitter, allowedActions: ['bank_a.*'] } }, 'POLICY_TOOL_NOT_ALLOWED'],
      [{}, 'POLICY_ENV_NOT_APPROVED'],
      [{ envScope: 'production' }, 'POLICY_PAID_REQUIRED'],
      [{ envScope: 'sandbox' }, 'BANK_ACCOUNT_PARENT_NOT_FOUND'],
    ] as const;
    for (const [changes, name] of steps) {
      await expect(harness.submitAll(changes)).rejects.toEqual(code(name));
    }
    await harness.link(1);
    const future = { envScope: 'sandbox', params: { to_date: '29991231' } } as const;
    await expect(harness.submitAll(future)).rejects.toMatchObject({
      status: 422,
      details: { fields: [{ loc: ['body', 'params', 'to_date'] }] },
    });
    await expect(harness.submitAll({ envScope: 'sandbox' })).rejects.toEqual(
      code('PROVIDER_NOT_CONFIGURED'),
    );
    expect(await harness.countJobs()).toBe(0);
  });
});
