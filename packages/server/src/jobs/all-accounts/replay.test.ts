import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../../store/database.ts';
import { describeStores } from '../../store/testing/describe-stores.ts';
import { seedBankAccount } from '../../store/testing/seed.ts';
import { BANK_B, jobIdsOf, openAllAccountsHarness } from '../testing/all-accounts-harness.ts';
import { accountsUnderKey } from './submit-all-accounts.ts';

const code = (name: string) => expect.objectContaining({ code: name });

describeStores('an all-accounts call again', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('the same key after an account was added (R78, R79)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 4 });
    const { id } = await harness.link(3);
    const key = { idempotencyKey: 'k' };
    const first = await harness.submitAll(key);
    const added = await seedBankAccount(stores, id);
    const second = await harness.submitAll(key);
    expect(second.accepted).toBe(true);
    const [ofAdded, ...found] = jobIdsOf(second.response);
    expect(first.newJobs).toEqual(new Set(found));
    expect(second.newJobs).toEqual(new Set([ofAdded]));
    expect(second.response.accounts[0]).toMatchObject({ bank_account_credential_id: added });
    expect(jobIdsOf(second.response).slice(1)).toEqual(jobIdsOf(first.response));
    expect(await harness.countJobs()).toBe(4);

    await seedBankAccount(stores, id);
    await expect(harness.submitAll(key)).rejects.toMatchObject({
      code: 'POLICY_QUOTA_EXCEEDED',
      details: { message: { ko: expect.stringContaining('계좌 1개에 필요한 토큰은 1개') } },
    });
    expect(await harness.countJobs()).toBe(4);
  });

  it('keeps the lines of accounts that the bank has refused since, and adds none of them (D107, R77)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const { id, accounts } = await harness.link(1);
    const [asked = ''] = accounts;
    const key = { idempotencyKey: 'k' };
    const first = await harness.submitAll(key);
    const added = await seedBankAccount(stores, id);
    await harness.suspendAccount(asked);
    await harness.suspendAccount(added);
    const again = await harness.submitAll(key);
    expect(again).toMatchObject({ accepted: false, newJobs: new Set() });
    expect(jobIdsOf(again.response)).toEqual(jobIdsOf(first.response));
    expect(await harness.countJobs()).toBe(1);
  });

  it('knows which accounts have a job under a key, and submits nothing to find out', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const other = await openAllAccountsHarness(stores, store);
    const { id, accounts } = await harness.link(2);
    await other.link(2);
    const key = { idempotencyKey: 'k' };
    await harness.submitAll(key);
    await seedBankAccount(stores, id);
    const under = async (of: typeof harness, changes: Parameters<typeof harness.call>[0]) =>
      [...(await accountsUnderKey(of.dependencies, of.call(changes)))].sort();
    expect(await under(harness, key)).toEqual(accounts.toSorted());
    expect(await under(harness, { idempotencyKey: 'k~1' })).toEqual([]);
    expect(await under(harness, { ...key, envScope: 'sandbox' })).toEqual([]);
    expect(await under(other, key)).toEqual([]);
    await expect(under(harness, { ...key, action: 'bank_b.accounts.list' })).rejects.toEqual(
      code('VALIDATION_INVALID_FIELD'),
    );
    expect(await harness.countJobs()).toBe(2);
  });

  it('needs no tokens for a round of replays and shows current states (R77, D42)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { daily: 2 });
    await harness.link(2);
    const first = await harness.submitAll({ idempotencyKey: 'k' });
    await harness.finishAll();
    const again = await harness.submitAll({ idempotencyKey: 'k' });
    expect(again.accepted).toBe(false);
    expect(jobIdsOf(again.response)).toEqual(jobIdsOf(first.response));
    expect(again.response.accounts.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(again.response.submitted_count).toBe(2);
  });

  it('a new key queries finished accounts again (R80)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    await harness.link(2);
    const first = await harness.submitAll();
    await harness.finishAll();
    const second = await harness.submitAll();
    expect(second.accepted).toBe(true);
    expect(new Set([...jobIdsOf(first.response), ...jobIdsOf(second.response)]).size).toBe(4);
    expect(await harness.usedToday()).toBe(4);
  });

  it('submits exactly the accounts of next when they are sent back with a new key (R81)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { cap: 3 });
    const { accounts } = await harness.link(4);
    let ids: readonly string[] | null = null;
    const submitted: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { response } = await harness.submitAll({ bankAccountCredentialIds: ids });
      submitted.push(
        ...response.accounts.flatMap((line) =>
          line.job_id === null ? [] : [line.bank_account_credential_id],
        ),
      );
      ids = response.next?.bank_account_credential_ids ?? null;
      await harness.finishAll();
    }
    expect(ids).toBeNull();
    expect(submitted).toEqual(accounts.toReversed());
    expect(await harness.countJobs()).toBe(4);
  });

  it('ties a key to one request, whichever accounts it names (D30)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const b = await harness.link(2);
    await harness.link(1, 'bank_c');
    const key = { idempotencyKey: 'k' };
    await harness.submitAll({ ...key, bankAccountCredentialIds: [String(b.accounts[0])] });
    const conflict = code('IDEMPOTENCY_KEY_CONFLICT');
    for (const changes of [
      { params: { order: 'asc' } },
      { action: 'bank_c.accounts.transaction_history.search' },
    ]) {
      await expect(harness.submitAll({ ...key, ...changes })).rejects.toEqual(conflict);
    }
    const narrowed = await harness.submitAll({ ...key, accountLinkId: b.id });
    expect([narrowed.accepted, narrowed.response.submitted_count]).toEqual([true, 2]);
    expect(await harness.countJobs()).toBe(2);
    const sandbox = await harness.submitAll({ ...key, envScope: 'sandbox', params: { a: 1 } });
    expect(sandbox.accepted).toBe(true);
    const single = await harness.submit({ ...key, action: BANK_B, accountLinkId: b.id });
    expect(single.replayed).toBe(false);
  });

  it('keeps a key free when its call submitted nothing (D30)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { cap: 1 });
    await harness.link(1);
    await harness.submitAll();
    const key = { idempotencyKey: 'k' };
    expect((await harness.submitAll(key)).accepted).toBe(false);
    await harness.finishAll();
    const other = await harness.submitAll({ ...key, params: { order: 'asc' } });
    expect(other.accepted).toBe(true);
  });
});
