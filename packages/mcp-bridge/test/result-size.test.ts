import { describe, expect, it } from 'vitest';
import { modelTokens } from '../../contract/test/model-tokens.ts';
import { FakeSetting } from './support/fake-bridge.ts';

const SEARCH = 'bank_c.accounts.transaction_history.search';
const ROWS = Array.from({ length: 3_000 }, (_, index) => ({
  index,
  description: `입금 ${index} ${'가'.repeat(index % 40)}`,
}));
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
    const accounts = Array.from({ length: count }, (_, index) => ({
      provider: 'bank_c',
      accountLinkId: 'link-1',
      bankAccountCredentialId: `acc-${index}`,
      maskedAccountNo: '****0001',
    }));
    setting.service.addBankAccounts(...accounts);
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
});
