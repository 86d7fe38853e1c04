import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool } from '../support/mcp-call.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const HISTORY = 'bank_b__accounts__transaction_history__search';
const REAL = { env: 'real_test' };
/** The bank has more rows on some days, and today's grow with the hours. */
const PERIOD = { from_date: '20260701', to_date: '20260703' };

let real: RealTestServer;
let link: string;
/** By the ending of their numbers (D142). */
let accounts: Record<'good' | 'refused' | 'down', string>;

beforeAll(async () => {
  real = await startRealTestServer({ REAL_TEST_DAILY_TOKENS: '20', BANK_PRODUCT_CAP: '2' });
  link = await real.linkLogin('bank_b', 'tools', 'tools-secret');
  accounts = {
    good: await real.addAccount(link, '110123456789'),
    refused: await real.addAccount(link, '2000123400402'),
    down: await real.addAccount(link, '2000123400503'),
  };
});
afterAll(() => real[Symbol.asyncDispose]());

const call = async (args: Record<string, unknown>) =>
  (await callTool(real.server, HISTORY, { ...PERIOD, ...args }, REAL)).body;

describe('tools at the simulated bank', () => {
  it('hand over what others wrote as data (D154)', async () => {
    const { result } = await call({
      account_link_id: link,
      bank_account_credential_id: accounts.good,
    });
    const { data, schema } = result.structuredContent.result;
    expect(schema).toBe('bank_b.accounts.transaction_history.search.v1');
    expect(data.items.length).toBeGreaterThan(0);
    expect(data.items[0]).toMatchObject({
      description: { untrusted_text: expect.any(String) },
      balance_after: expect.any(Number),
    });
    expect(JSON.stringify(result)).not.toContain('110123456789');
  });

  it('one good account among failing ones is enough for the call to succeed (R117, R118)', async () => {
    const { result } = await call({ account_link_id: link, all_accounts: true });
    expect(result.isError).toBe(false);
    const lines = result.structuredContent.accounts;
    expect(
      lines.map((line: Record<string, unknown>) => [line.status, Object.keys(line).length]),
    ).toEqual([
      ['FAILED', 5],
      ['FAILED', 5],
      ['SUCCEEDED', 5],
    ]);
    // The bank's own words about its maintenance, if any, are apart.
    const { detail: _, ...own } = lines[0].error;
    expect(own).toEqual({
      code: 'PROVIDER_MAINTENANCE',
      message: expect.any(String),
      safe_to_retry: true,
      next_action: expect.stringContaining('새 request_id'),
    });
    expect(lines[1].error).toMatchObject({
      code: 'PROVIDER_VALIDATION_ERROR',
      safe_to_retry: false,
    });
    expect(lines[2].result.data.row_count).toBeGreaterThan(0);
    expect(result.structuredContent.summary).toBe('계좌 3개: 성공 1, 실패 2');
    expect(result.structuredContent.next_failed.tool_call).toEqual({
      name: HISTORY,
      arguments: {
        account_link_id: link,
        bank_account_credential_ids: [accounts.down],
        ...PERIOD,
      },
    });
  });

  it('a wrong password names link, account and the page of the console', async () => {
    const other = await real.linkLogin('bank_b', 'wrongtools', 'tools-secret');
    const wrong = await real.addAccount(other, '2000123400401', '6159');
    const { result } = await call({ account_link_id: other, bank_account_credential_id: wrong });
    const { error } = result.structuredContent;
    expect(error).toMatchObject({ code: 'PROVIDER_CREDENTIAL_REJECTED', safe_to_retry: false });
    const page = new URL(`/console/links/${other}`, real.server.url).href;
    for (const known of [other, '0401', page]) expect(error.user_action).toContain(known);
  });

  it('all failed is an error, and the first line says why (R118)', async () => {
    const { result } = await call({
      account_link_id: link,
      bank_account_credential_ids: [accounts.refused, accounts.down],
    });
    const { accounts: lines } = result.structuredContent;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe(lines[0].error.message);
    expect(JSON.parse(result.content[1].text)).toEqual(result.structuredContent);
  });

  it('tokens that are short before anything: -32001 with the numbers, and no job (R114)', async () => {
    let refused: Record<string, unknown> | undefined;
    for (let n = 0; n < 20 && refused === undefined; n += 1) {
      refused = (await call({ account_link_id: link, all_accounts: true })).error;
    }
    expect(refused).toMatchObject({
      code: -32001,
      message: expect.stringMatching(/계좌 3개에 필요한 토큰은 3개/),
      data: {
        error_code: 'POLICY_QUOTA_EXCEEDED',
        next_step: { tool: HISTORY, arguments: { request_id: expect.any(String) } },
      },
    });
    const jobs = await jobCount();
    await call({ account_link_id: link, all_accounts: true });
    expect(await jobCount()).toBe(jobs);
  });
});

async function jobCount(): Promise<number> {
  const { body } = await real.server.call('GET', '/v1/jobs?limit=100', REAL);
  return body.items.length;
}
