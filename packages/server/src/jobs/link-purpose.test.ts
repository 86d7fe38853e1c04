import type { LinkPurpose } from '@changgu/contract/schemas';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openRunHarness } from '../engine/testing/run-harness.ts';
import { laneScope, purposeOf } from '../rules/links/link-purpose.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedBankAccount, seedLink } from '../store/testing/seed.ts';
import { openAllAccountsHarness } from './testing/all-accounts-harness.ts';
import { type JobHarness, openJobHarness } from './testing/job-harness.ts';

const APART = { production: 'https://bank.example', realTest: 'https://test.bank.example' };
const TOGETHER = { production: APART.production, realTest: APART.production };

const rulesFor = (origins: typeof APART) => ({
  linkPurpose: (_provider: string, envScope: Parameters<typeof purposeOf>[0]) =>
    purposeOf(envScope, origins),
  laneScope: (_provider: string, envScope: Parameters<typeof purposeOf>[0]) =>
    laneScope(envScope, origins),
});

describeStores('links have a purpose', (stores) => {
  let store: Store;
  let harness: JobHarness;
  beforeAll(async () => {
    store = await stores.open();
  });
  beforeEach(async () => {
    harness = await openJobHarness(stores, store, {
      organization: { paid: true },
      rules: rulesFor(APART),
    });
  });

  const link = (purpose: LinkPurpose, changes = {}) =>
    seedLink(stores, harness.organizationId, { purpose, ...changes });

  async function linkUsedIn(envScope: 'sandbox' | 'real_test' | 'production') {
    const { response } = await harness.submit({ envScope });
    const [job] = await stores.execute('select account_link_id from jobs where id = ?', [
      response.job_id,
    ]);
    return job?.account_link_id;
  }

  it('selects only among the links that the environment takes (D160)', async () => {
    const [real, test] = [await link('real'), await link('test')];
    expect(await linkUsedIn('production')).toBe(real);
    expect(await linkUsedIn('real_test')).toBe(test);
    await expect(harness.submit({ envScope: 'sandbox' })).rejects.toMatchObject({
      code: 'ACCOUNT_LINK_REQUIRED',
    });
  });

  it('has a representative link for each purpose (D160)', async () => {
    const [real, test] = [
      await link('real', { primary: true }),
      await link('test', { primary: true }),
    ];
    await link('real');
    await link('test');
    expect(await linkUsedIn('production')).toBe(real);
    expect(await linkUsedIn('real_test')).toBe(test);
    expect(await linkUsedIn('sandbox')).toBe(test);
  });

  it('refuses a named link of the other purpose, says why and charges nothing (D160)', async () => {
    const [real, test] = [await link('real'), await link('test')];
    const submit = (envScope: 'production' | 'real_test', accountLinkId: string) =>
      harness.submit({ envScope, accountLinkId });
    await expect(submit('production', test)).rejects.toMatchObject({
      code: 'ACCOUNT_LINK_NOT_FOUND',
      details: { message: { en: expect.stringContaining('real accounts only') } },
    });
    await expect(submit('real_test', real)).rejects.toMatchObject({
      code: 'ACCOUNT_LINK_NOT_FOUND',
      details: { message: { en: expect.stringContaining('test links only') } },
    });
    expect(await harness.countJobs()).toBe(0);
  });

  it('takes real links in real_test, in the same lane, where both are at one site (D160)', async () => {
    harness = await openJobHarness(stores, store, {
      organization: { paid: true },
      rules: rulesFor(TOGETHER),
    });
    const real = await link('real');
    expect(await linkUsedIn('real_test')).toBe(real);
    expect(await linkUsedIn('production')).toBe(real);
    const lanes = await stores.execute('select distinct lane from jobs where account_link_id = ?', [
      real,
    ]);
    expect(lanes).toHaveLength(1);
    expect(await harness.claim('production')).toHaveLength(1);
  });

  it('lets all-accounts look at the accounts of such links only (D160)', async () => {
    const harness = await openAllAccountsHarness(stores, store, { rules: rulesFor(APART) });
    const real = await seedLink(stores, harness.organizationId, { purpose: 'real' });
    await seedBankAccount(stores, real);
    await expect(harness.submitAll({ envScope: 'real_test' })).rejects.toMatchObject({
      code: 'BANK_ACCOUNT_PARENT_NOT_FOUND',
      details: { message: { en: expect.stringContaining('test links only') } },
    });
    const test = await seedLink(stores, harness.organizationId, { purpose: 'test' });
    const account = await seedBankAccount(stores, test);
    const { response } = await harness.submitAll({ envScope: 'real_test' });
    expect(response.accounts.map((line) => line.bank_account_credential_id)).toEqual([account]);
  });

  it('is checked again when the job runs: the addresses may have changed (D160)', async () => {
    const harness = await openRunHarness(stores, store);
    const accountLinkId = await seedLink(stores, harness.jobs.organizationId, { purpose: 'real' });
    let ran = false;
    harness.connect('bank_b.accounts.list', async () => {
      ran = true;
      return { success: true };
    });
    harness.linkPurpose = () => 'test';
    const job = await harness.run({ action: 'bank_b.accounts.list', accountLinkId });
    expect(job.error).toMatchObject({ code: 'ACCOUNT_LINK_NOT_FOUND' });
    expect(ran).toBe(false);
  });

  it('gives links from before a purpose when the server starts (D160)', async () => {
    const [bank, tax] = [await link('real'), await link('real', { provider: 'tax_portal' })];
    await stores.execute('update account_links set purpose = null where id in (?, ?)', [bank, tax]);
    await store.accountLinks.assignPurposes({ productionProviders: ['bank_b'] });
    const purposeNow = async (id: string) =>
      (await store.accountLinks.find({ id, organizationId: harness.organizationId })).purpose;
    expect(await purposeNow(bank)).toBe('real');
    expect(await purposeNow(tax)).toBe('test');
  });
});
