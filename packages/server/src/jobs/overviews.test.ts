import { loadCatalogue } from '@changgu/contract/catalogue';
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { cancelJob } from './cancel.ts';
import { listJobs } from './list.ts';
import { listLines, listRuns, readJobRequest, summarizeJobs } from './overviews.ts';
import { BANK_B, openAllAccountsHarness } from './testing/all-accounts-harness.ts';
import { openJobHarness } from './testing/job-harness.ts';

describeStores('overviews of jobs', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('finds jobs by a part of an id, a key or a name, and takes no wildcards (D15)', async () => {
    const harness = await openJobHarness(stores, store);
    const { institutions } = await loadCatalogue();
    const list = { institutions: [...institutions.values()] };
    const one = await harness.submit({
      action: 'bank_c.accounts.list',
      idempotencyKey: 'Night_Run',
    });
    const other = await harness.submit({ action: 'bank_b.accounts.list' });
    const found = async (q: string) =>
      (await listJobs(store, harness.access(), { q }, list)).items.map(({ job_id: id }) => id);
    const [first, second] = [one.response.job_id, other.response.job_id];
    expect(await found(first.slice(-12).toLowerCase())).toEqual([first]);
    expect(await found('night_run')).toEqual([first]);
    expect(await found('BANK_B.accounts')).toEqual([second]);
    expect(await found('계좌')).toEqual([second, first]);
    expect(await found('계좌'.normalize('NFD'))).toEqual([second, first]);
    for (const wild of ['%', 'night%run', '\\', "' or 1=1 --"])
      expect(await found(wild)).toEqual([]);
    const page = await listJobs(store, harness.access(), { q: 'accounts', limit: 1 });
    const rest = { q: 'accounts', cursor: page.next_cursor ?? '' };
    expect((await listJobs(store, harness.access(), rest)).items).toHaveLength(1);
    const wrong = listJobs(store, harness.access(), { ...rest, q: 'account' });
    await expect(wrong).rejects.toMatchObject({ status: 400 });
  });

  it('tells what a job was submitted with, to its organization alone (D12)', async () => {
    const harness = await openJobHarness(stores, store);
    const params = { from_date: '2026-01-01', nested: { a: [1, null] } };
    const { response } = await harness.submit({ params, idempotencyKey: 'mine' });
    expect(await readJobRequest(store, harness.access(), response.job_id)).toMatchObject({
      job_id: response.job_id,
      idempotency_key: 'mine',
      params,
    });
    const stranger = { ...harness.access(), organizationId: harness.organizationId + 1_000 };
    await expect(readJobRequest(store, stranger, response.job_id)).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
  });

  it('counts jobs and tokens by day, action and state, without what was given back (D38)', async () => {
    const harness = await openJobHarness(stores, store);
    await harness.submit();
    await harness.submit();
    const { response } = await harness.submit();
    await cancelJob(store, harness.access(), response.job_id);
    const day = (response.submitted_at ?? '').slice(0, 10);
    const { items, complete } = await summarizeJobs(store, harness.access(), {});
    expect(complete).toBe(true);
    const { action } = response;
    expect(items.toSorted((a, b) => a.jobs - b.jobs)).toEqual([
      { day, action, status: 'CANCELED', jobs: 1, usage_tokens: 0 },
      { day, action, status: 'QUEUED', jobs: 2, usage_tokens: 2 },
    ]);
    const later = { submitted_from: '2100-01-01T00:00:00+09:00' };
    expect((await summarizeJobs(store, harness.access(), later)).items).toEqual([]);
    const bounded = await summarizeJobs(store, harness.access(), {}, 2);
    expect([bounded.complete, bounded.items.reduce((sum, { jobs }) => sum + jobs, 0)]).toEqual([
      false,
      2,
    ]);
  });

  it('lists calls for all accounts page by page, and the accounts of each (R64)', async () => {
    const harness = await openAllAccountsHarness(stores, store);
    const { id, accounts } = await harness.link(3);
    for (const idempotencyKey of ['first', 'second', 'third']) {
      await harness.submitAll({ idempotencyKey });
    }
    const access = {
      organizationId: harness.organizationId,
      envScope: 'real_test',
      submittedBy: null,
    } as const;
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listRuns(store, access, { limit: 1, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map(({ idempotency_key: key }) => key));
      cursor = page.next_cursor;
    }
    expect(seen.toSorted()).toEqual(['first', 'second', 'third']);
    const { items } = await listRuns(store, access, {});
    expect(items.find(({ idempotency_key: key }) => key === 'first')).toMatchObject({
      action: BANK_B,
      account_count: 3,
      counts: { QUEUED: 3, SUCCEEDED: 0 },
    });
    const lines = await listLines(store, access, { idempotency_key: 'first', limit: 2 });
    const rest = await listLines(store, access, {
      idempotency_key: 'first',
      cursor: lines.next_cursor ?? '',
    });
    const all = [...lines.items, ...rest.items];
    expect([lines.items.length, rest.next_cursor]).toEqual([2, null]);
    expect(all.map((line) => line.bank_account_credential_id)).toEqual(accounts.toReversed());
    expect(all[0]).toMatchObject({
      account_link_id: id,
      status: 'QUEUED',
      masked_account_no: expect.stringContaining('*'),
      error_code: null,
    });
    const stranger = { ...access, organizationId: harness.organizationId + 1_000 };
    expect((await listLines(store, stranger, { idempotency_key: 'first' })).items).toEqual([]);
    expect((await listRuns(store, stranger, {})).items).toEqual([]);
  });
});
