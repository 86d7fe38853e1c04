import { demoMembers } from '@changgu/simulators';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/job-failure.ts';
import { realData } from '../support/real-data.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const HISTORIES = ['bank_b', 'bank_c', 'bank_d'] as const;

let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer();
});
afterAll(() => real[Symbol.asyncDispose]());

describe('transaction histories through the SDK', () => {
  it.each(HISTORIES)('%s: the statement adds up, and its file opens', async (bank) => {
    const action = `${bank}.accounts.transaction_history.search` as const;
    const { data: answered, schema, artifacts } = await real.client.jobs.run({ action });
    expect(schema).toBe(`${action}.v1`);
    const data = realData(answered);
    const sum = (name: 'deposit_amount' | 'withdrawal_amount') =>
      data.items.reduce((total, row) => total + row[name], 0);
    expect(data.row_count).toBe(data.items.length);
    expect(sum('deposit_amount')).toBe(data.deposit_total);
    expect(data.opening_balance + data.deposit_total - data.withdrawal_total).toBe(
      data.closing_balance,
    );
    const [artifact] = artifacts;
    expect(artifact?.name).toMatch(/^[BCD]은행_거래내역_20\d{6}_\d{4}\.xlsx$/);
    const file = await fetch(artifact?.downloadUrl ?? '');
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(await file.arrayBuffer());
    expect(book.worksheets[0]?.rowCount).toBe(5 + data.row_count);
  });

  it('…0200 is a success without rows (R45)', async () => {
    const account = await addMagicAccount('bank_b', '0200');
    const { data } = await real.client.jobs.run({
      action: 'bank_b.accounts.transaction_history.search',
      accountLinkId: account.link,
      params: { bank_account_credential_id: account.id },
    });
    expect(data).toMatchObject({ row_count: 0, items: [] });
  });

  it.each([
    ['0401', 'PROVIDER_CREDENTIAL_REJECTED', false, 'bank_b:E1401', 200],
    ['0423', 'PROVIDER_ACCOUNT_LOCKED', false, 'bank_b:E1423', 200],
    ['0503', 'PROVIDER_MAINTENANCE', true, 'bank_b:MAINTENANCE', 503],
    ['0440', 'PROVIDER_SESSION_EXPIRED', true, 'bank_b:S0001', 200],
    ['0409', 'PROVIDER_SESSION_EXPIRED', true, 'bank_b:S0001', 200],
    ['0402', 'PROVIDER_VALIDATION_ERROR', false, 'bank_b:E0402', 200],
    ['0520', 'PROVIDER_UPSTREAM_ERROR', true, null, 200],
  ])('D142 …%s ends FAILED with %s', async (ending, code, retryable, ref, status) => {
    const account = await addMagicAccount('bank_b', ending);
    const failure = await failureOf(
      real.client.jobs.run({
        action: 'bank_b.accounts.transaction_history.search',
        accountLinkId: account.link,
        params: { bank_account_credential_id: account.id },
      }),
    );
    expect(failure).toMatchObject({
      code,
      retryable,
      providerErrorRef: ref,
      upstreamStatus: status,
    });
  });

  it('…0504 keeps the job waiting until its time is over (D142)', async () => {
    const account = await addMagicAccount('bank_b', '0504');
    const handle = await real.client.jobs.submit({
      action: 'bank_b.accounts.transaction_history.search',
      accountLinkId: account.link,
      params: { bank_account_credential_id: account.id },
    });
    await until(async () =>
      (await real.log('bank_b')).requests.some(({ path }) => path === '/wait'),
    );
    await real.advance(121);
    const failure = await failureOf(handle.result());
    expect(failure).toMatchObject({ code: 'JOB_TIMEOUT', retryable: true });
    expect((await real.client.jobs.get(handle.id)).status).toBe('TIMEOUT');
  });

  it.each([
    ['registered', '9999', {}],
    ['sent with the call', '1234', { secrets: { account_password: '9999' } }],
  ])(
    'after a wrong password, %s, the portal is not asked again until it is replaced (R129, D51)',
    async (_, registered, sent) => {
      const link = await real.linkLogin('bank_c', `r129member${registered}`, 'demo1234!');
      const id = await real.addAccount(link, '3015559990017', registered);
      const search = {
        action: 'bank_c.accounts.transaction_history.search',
        accountLinkId: link,
        params: { bank_account_credential_id: id },
        ...sent,
      } as const;
      const code = 'PROVIDER_CREDENTIAL_REJECTED';
      expect(await failureOf(real.client.jobs.run(search))).toMatchObject({ code });
      const { request_count: before } = await real.log('bank_c');
      const again = await failureOf(real.client.jobs.run(search));
      expect(again).toMatchObject({ code, retryable: false });
      expect((await real.log('bank_c')).request_count).toBe(before);
    },
  );
});

describe('bank A and the account lists', () => {
  it('reads a balance', async () => {
    const { data } = await real.client.jobs.run({ action: 'bank_a.accounts.quick_summary.get' });
    expect(data).toMatchObject({ success: true, masked_account_no: '100*****0011' });
  });

  it.each(['bank_a', 'bank_b', 'bank_c', 'bank_d'] as const)(
    'lists accounts of %s',
    async (bank) => {
      const { loginId, loginPassword } = demoMembers.corporation;
      const link = await real.linkLogin(bank, loginId, loginPassword);
      const { data } = await real.client.jobs.run({
        action: `${bank}.accounts.list`,
        accountLinkId: link,
      });
      expect(data).toMatchObject({ success: true });
    },
  );
});

/** Asks until it is so; the portals do not notify. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

let magicLinks = 0;

async function addMagicAccount(bank: 'bank_b', ending: string) {
  magicLinks += 1;
  const link = await real.linkLogin(bank, `magicowner${magicLinks}`, 'demo1234!');
  return { link, id: await real.addAccount(link, `200012340${ending}`) };
}
