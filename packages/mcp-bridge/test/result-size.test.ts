import { describe, expect, it } from 'vitest';
import { modelTokens } from '../../contract/test/model-tokens.ts';
import { FakeSetting } from './support/fake-bridge.ts';

const SEARCH = 'bank_c.accounts.transaction_history.search';
const ROWS = Array.from({ length: 3_000 }, (_, index) => ({
  index,
  description: `입금 ${index} ${'가'.repeat(index % 40)}`,
}));
/** Lines are read eight at a time, and the last of them may find no room. */
const LINES_READ_AHEAD = 8;
/** Of a whole answer. */
const MAX_TOKENS = 8_000;

describe('a result that is larger than a host takes', () => {
  it('comes in parts, every row once, none above the limit', async () => {
    const setting = new FakeSetting();
    setting.service.willEnd(SEARCH, { state: 'SUCCEEDED', data: { items: ROWS } });
    const host = await setting.host();
    const call = host.call('bank_c_transactions', { wait_seconds: 20 });
    let { answer } = await setting.timed(call);
    const seen: unknown[] = [];
    for (;;) {
      expect(modelTokens(answer)).toBeLessThan(MAX_TOKENS);
      // Few rows, as of the last page, keep their names.
      const { items } = answer.data;
      const rows: readonly { index?: number; 0?: number }[] = items.rows ?? items;
      seen.push(...rows.map((row) => row.index ?? row[0]));
      if (!answer.next) break;
      expect(answer.warnings).toEqual([expect.stringMatching(/^items: rows \d+ to \d+ of 3000$/)]);
      ({ answer } = await setting.timed(host.follow(answer.next[0])));
    }
    expect(seen).toEqual(ROWS.map(({ index }) => index));
    expect(setting.service.jobs).toHaveLength(1);
  });

  it.each([4, 200])('stays within the limit for %i accounts together', async (count) => {
    const setting = new FakeSetting();
    setting.service.setCap(count).willEnd(SEARCH, { state: 'SUCCEEDED', data: { items: ROWS } });
    setting.service.addBankAccounts(...accountsOf(count));
    const host = await setting.host();
    const args = { all_accounts: true, wait_seconds: 40 };
    const { answer } = await setting.timed(host.call('bank_c_transactions', args));
    expect(answer.status).toBe('SUCCEEDED');
    expect(JSON.stringify(answer).length).toBeLessThan(30_000);
    expect(JSON.stringify(answer)).toContain('job_result');
    const { job_id } = answer.data.accounts.at(-1);
    const { answer: one } = await setting.timed(host.call('job_result', { job_id }));
    expect(one.data.items.rows[0]).toEqual([0]);
  });

  it('shows 3,000 accounts in parts, with the sums of all in each and none run twice', async () => {
    const setting = new FakeSetting();
    setting.service.setCap(3_000).addBankAccounts(...accountsOf(3_000));
    setting.service.willEnd(SEARCH, ({ bank_account_credential_id: id = '' }) =>
      id.endsWith('0')
        ? { state: 'FAILED', code: 'PROVIDER_MAINTENANCE' }
        : { state: 'SUCCEEDED', runningMs: 10 * 3_600_000 },
    );
    const host = await setting.host();
    const args = { all_accounts: true, wait_seconds: 10 };
    let { answer } = await setting.timed(host.call('bank_c_transactions', args));
    const seen: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      expect(modelTokens(answer)).toBeLessThan(MAX_TOKENS);
      expect(answer.data.summary).toMatch(/^3000 accounts: /);
      const shown = answer.data.accounts.map(
        (line: { bank_account_credential_id: string }) => line.bank_account_credential_id,
      );
      seen.push(...shown);
      ({ answer } = await setting.timed(host.follow(answer.next.at(-1))));
    }
    expect(seen.length).toBeGreaterThan(60);
    // The service names the newest account first.
    const all = accountsOf(3_000).map((account) => account.bankAccountCredentialId);
    expect(seen).toEqual(all.toReversed().slice(0, seen.length));
    expect(setting.service.jobs).toHaveLength(3_000);
  });

  it('reads for a further page only the accounts that it shows', async () => {
    const setting = new FakeSetting();
    setting.service.setCap(200).willEnd(SEARCH, { state: 'SUCCEEDED', data: { items: ROWS } });
    setting.service.addBankAccounts(...accountsOf(200));
    const host = await setting.host();
    const args = { all_accounts: true, wait_seconds: 40 };
    const { answer } = await setting.timed(host.call('bank_c_transactions', args));
    const before = setting.service.requests.length;
    const { answer: page } = await setting.timed(host.follow(answer.next.at(-1)));
    const { summary, accounts } = page.data;
    expect(summary).toBe(answer.data.summary);
    expect(accounts.every(({ data }: { data: unknown }) => data !== undefined)).toBe(true);
    const requests = setting.service.requests.length - before;
    expect(requests).toBeLessThanOrEqual(1 + accounts.length + LINES_READ_AHEAD);
    expect(setting.service.jobs).toHaveLength(200);
  });

  it('reads on to the last of the accounts that were named', async () => {
    const setting = new FakeSetting();
    setting.service.setCap(60).addBankAccounts(...accountsOf(60));
    setting.service.willEnd(SEARCH, { state: 'SUCCEEDED', data: { items: ROWS } });
    const host = await setting.host();
    const named = accountsOf(40).map((account) => account.bankAccountCredentialId);
    const args = { bank_account_credential_ids: named, wait_seconds: 40 };
    const { answer } = await setting.timed(host.call('bank_c_transactions', args));
    expect(modelTokens(answer)).toBeLessThan(MAX_TOKENS);
    const { answer: rest } = await setting.timed(host.follow(answer.next.at(-1)));
    const [first] = rest.data.accounts;
    expect(first.bank_account_credential_id).toBe(named.toReversed()[answer.data.accounts.length]);
    expect(setting.service.jobs).toHaveLength(40);
  });
});

function accountsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    provider: 'bank_c',
    accountLinkId: 'link-1',
    bankAccountCredentialId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    maskedAccountNo: '****0001',
  }));
}
