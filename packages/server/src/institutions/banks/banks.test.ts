import type { Simulators } from '@changgu/simulators';
import { demoAccounts, demoCertificates, demoMembers, startSimulators } from '@changgu/simulators';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../connector.ts';
import type { InstitutionError } from '../institution-error.ts';
import { decodeText, encodeForm } from '../portal/charset.ts';
import { createPortalHttp, type PortalHttp } from '../portal/client/http-client.ts';
import { changedHttp, withText } from '../testing/changed-http.ts';
import {
  certificateCredential,
  type FakeCallOptions,
  fakeCall,
  isKoreanOneLiner,
  passwordCredential,
  violationsOf,
} from '../testing/fake-call.ts';
import { bankA } from './bank-a.ts';
import { bankB } from './bank-b.ts';
import { bankC } from './bank-c.ts';
import { bankD } from './bank-d.ts';

const NOW = Date.parse('2026-11-21T12:00:00+09:00');
const OWNER = demoMembers.corporation.businessNumber;
const BANKS = { bank_a: bankA, bank_b: bankB, bank_c: bankC, bank_d: bankD };
type Bank = keyof typeof BANKS;
const HISTORY_BANKS = ['bank_b', 'bank_c', 'bank_d'] as const;

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => NOW });
});
afterAll(() => simulators.close());

async function run(action: string, options: Partial<FakeCallOptions> = {}) {
  const bank = action.slice(0, 6) as Bank;
  const connector = BANKS[bank].connectors[action];
  if (connector === undefined) throw new Error(`${action} has no connector`);
  const link = { businessNumber: OWNER, ...options.link };
  const call = await fakeCall({
    baseUrl: simulators.urls[bank],
    action,
    now: () => NOW,
    ...options,
    link,
  });
  const data = await connector(call);
  expect(await violationsOf(action, data)).toEqual([]);
  return { call, data: data ?? {} };
}

const history = (bank: Bank) => `${bank}.accounts.transaction_history.search`;
const selected = (bank: Bank) => {
  const account = demoAccounts[bank].at(0);
  if (account === undefined) throw new Error(`${bank} has no demo account`);
  return { number: account.accountNo, password: account.accountPassword };
};
const magic = (ending: string) => ({ number: `300012340${ending}`, password: '1234' });

function items(data: JsonObject): JsonObject[] {
  expect(Array.isArray(data.items)).toBe(true);
  return data.items as JsonObject[];
}

/** The portals, with every request recorded. */
function watched(read: (page: string) => void): PortalHttp {
  const http = createPortalHttp();
  return {
    ...http,
    open(options) {
      const client = http.open(options);
      return {
        ...client,
        async request(request) {
          const response = await client.request(request);
          read(response.text());
          return response;
        },
      };
    },
  };
}

/** The portals, but for pages that break off. */
function brokenAt(baseUrl: string, breaks: (path: string) => boolean, asked: string[]): PortalHttp {
  const http = createPortalHttp();
  return {
    ...http,
    open(options) {
      const client = http.open(options);
      return {
        ...client,
        async request(request) {
          const response = await client.request(request);
          const query = encodeForm(request.query ?? {});
          const path = `${request.path.replace(baseUrl, '')}?${query}`;
          asked.push(path);
          if (!breaks(path)) return response;
          const bytes = response.bytes.subarray(0, response.bytes.length / 2);
          return { ...response, bytes, text: () => Buffer.from(bytes).toString('latin1') };
        },
      };
    },
  };
}

const TOTAL_LINE = /<p(?: class="(?:total|count)")?>.*?<\/p>/s;

/** Time that is over after so many questions for it. */
function inTimeFor(questions: number): () => number {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > questions ? 0 : 120_000;
  };
}

const sum = (rows: readonly JsonObject[], name: string) =>
  rows.reduce((total, row) => total + Number(row[name]), 0);

describe.each(HISTORY_BANKS)('transaction history of %s', (bank) => {
  it('adds up over a whole year, page by page, and says when (D143)', async () => {
    const params = { from_date: '20251122', to_date: '2026-11-21', order: 'asc' };
    const { data } = await run(history(bank), { account: selected(bank), params });
    const rows = items(data);
    expect(rows.length).toBeGreaterThan(50);
    let balance = Number(data.opening_balance);
    for (const row of rows) {
      balance += Number(row.deposit_amount) - Number(row.withdrawal_amount);
      expect(row.balance_after).toBe(balance);
    }
    expect(balance).toBe(data.closing_balance);
    expect(sum(rows, 'deposit_amount')).toBe(data.deposit_total);
    const times = rows.map((row) => String(row.transacted_at));
    expect(times).toEqual(times.toSorted());
    expect(times.at(0)).toMatch(/^202[56]-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+09:00$/);
  });

  it('the last 30 days at the acceptance, newest first, unless told otherwise (D76)', async () => {
    const submittedAt = NOW - 86_400_000;
    const { data } = await run(history(bank), { account: selected(bank), submittedAt });
    expect(data).toMatchObject({ success: true, from_date: '20261022', to_date: '20261120' });
    const times = items(data).map((row) => String(row.transacted_at));
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('says in Korean what it is doing, and nothing of whose account it is (D08)', async () => {
    const { call } = await run(history(bank), { account: selected(bank) });
    expect(call.steps.length).toBeGreaterThan(1);
    expect(call.steps.filter((step) => !isKoreanOneLiner(step))).toEqual([]);
  });

  it('shows one direction and leaves the totals', async () => {
    const params = { from_date: '20260601', to_date: '20261121' };
    const all = await run(history(bank), { account: selected(bank), params });
    const deposits = await run(history(bank), {
      account: selected(bank),
      params: { ...params, direction: 'in' },
    });
    const expected = items(all.data).filter((row) => row.deposit_amount !== 0);
    expect(items(deposits.data).map((row) => row.balance_after)).toEqual(
      expected.map((row) => row.balance_after),
    );
    expect(deposits.data.withdrawal_total).toBe(all.data.withdrawal_total);
  });

  it('the rows are also a spreadsheet that other programs open (D74)', async () => {
    const { call, data } = await run(history(bank), { account: selected(bank) });
    expect(call.files).toHaveLength(1);
    const [file] = call.files;
    expect(file).toMatchObject({ extension: 'xlsx', qualifier: selected(bank).number.slice(-4) });
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(new Uint8Array(file?.bytes as Uint8Array).buffer);
    const sheet = book.worksheets.at(0);
    expect(sheet?.getCell('B2').value).toBe(data.opening_balance);
    expect(sheet?.rowCount).toBe(5 + Number(data.row_count));
    expect(sheet?.getCell('D6').value).toBe(items(data).at(0)?.balance_after);
  });

  it.each(['asc', 'desc'] as const)(
    'comes in whole days when the time does not suffice, and says how to continue (%s)',
    async (order) => {
      const period = { from_date: '20260522', to_date: '20261121', order };
      const whole = await run(history(bank), { account: selected(bank), params: period });
      expect(whole.data.next).toBeNull();
      const parts: JsonObject[] = [];
      let params: JsonObject = period;
      for (;;) {
        const { data } = await run(history(bank), {
          account: selected(bank),
          params,
          timeLeft: inTimeFor(4),
        });
        parts.push(data);
        if (data.next === null) break;
        const { message, ...dates } = data.next as JsonObject;
        expect(message).toContain('다시 조회');
        params = { ...params, ...dates };
      }
      expect(parts.length).toBeGreaterThan(2);
      const oldestFirst = parts.toSorted((a, b) =>
        String(a.from_date).localeCompare(String(b.from_date)),
      );
      expect(oldestFirst.at(0)?.from_date).toBe('20260522');
      expect(oldestFirst.at(-1)?.to_date).toBe('20261121');
      for (const [index, part] of oldestFirst.slice(1).entries()) {
        expect(part.opening_balance).toBe(oldestFirst[index]?.closing_balance);
      }
      expect(sum(parts, 'deposit_total')).toBe(whole.data.deposit_total);
      const times = (rows: JsonObject[]) => rows.map((row) => String(row.transacted_at)).toSorted();
      expect(times(parts.flatMap(items))).toEqual(times(items(whole.data)));
    },
  );

  it('shows one direction also where it comes in parts', async () => {
    const params = { from_date: '20251122', to_date: '20261121', direction: 'in' };
    const { data } = await run(history(bank), {
      account: selected(bank),
      params,
      timeLeft: inTimeFor(2),
    });
    expect(data.next).toMatchObject({ from_date: '20251122' });
    expect(sum(items(data), 'deposit_amount')).toBe(data.deposit_total);
  });

  it('an account without transactions is a success without rows (R45)', async () => {
    const { data } = await run(history(bank), { account: magic('0200') });
    expect(data).toMatchObject({ row_count: 0, items: [], opening_balance: 0, closing_balance: 0 });
  });

  it.each([
    ['0401', 'PROVIDER_CREDENTIAL_REJECTED'],
    ['0423', 'PROVIDER_ACCOUNT_LOCKED'],
    ['0503', 'PROVIDER_MAINTENANCE'],
    ['0520', 'PROVIDER_UPSTREAM_ERROR'],
    ['0440', 'PROVIDER_SESSION_EXPIRED'],
    ['0409', 'PROVIDER_SESSION_EXPIRED'],
    ['0402', 'PROVIDER_VALIDATION_ERROR'],
  ])('D142 …%s ends in %s', async (ending, code) => {
    const failure = run(history(bank), { account: magic(ending) });
    await expect(failure).rejects.toMatchObject({ name: 'InstitutionError', code });
  });

  it('is read whatever a payer wrote', async () => {
    const account = selected(bank);
    const entry = { withdrawal_amount: 1, description: '엘리베이터 점검작업' };
    const url = `${simulators.controlUrl}/bank-accounts/${account.number}/transactions`;
    const headers = { 'content-type': 'application/json' };
    const added = await fetch(url, { method: 'POST', headers, body: JSON.stringify(entry) });
    expect(added.ok).toBe(true);
    const params = { from_date: '20261121', to_date: '20261121' };
    const { data } = await run(history(bank), { account, params });
    expect(items(data).map(({ description }) => description)).toContain(entry.description);
  });

  it('…0504 waits until the call is stopped (D142)', async () => {
    const stop = new AbortController();
    const http = watched((page) => {
      if (page.includes('http-equiv="refresh"')) stop.abort(new Error('deadline'));
    });
    const failure = run(history(bank), { account: magic('0504'), signal: stop.signal, http });
    await expect(failure).rejects.toThrow('deadline');
  });

  it('the account password of this call goes before the registered one', async () => {
    const account = { ...selected(bank), password: '0000' };
    const secrets = { account_password: selected(bank).password };
    await expect(run(history(bank), { account, secrets })).resolves.toBeDefined();
  });

  it('an account without a known owner is refused before the bank is asked (D108)', async () => {
    const failure = run(history(bank), {
      account: selected(bank),
      link: { businessNumber: null },
      baseUrl: 'http://127.0.0.1:9',
    });
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
  });
});

it('a statement of bank_b in columns that have changed places is refused', async () => {
  const http = changedHttp((response) => {
    const text = response.text();
    const changed = text.replace('적요</th>', '거래점</th>');
    return changed === text ? response : withText(response, changed);
  });
  const failure = run(history('bank_b'), { account: selected('bank_b'), http });
  await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
});

describe('quick summary of bank_a', () => {
  const action = 'bank_a.accounts.quick_summary.get';

  it('reads the balance (D76, D143)', async () => {
    const { data } = await run(action, { account: selected('bank_a') });
    expect(data).toMatchObject({
      masked_account_no: '100*****0011',
      inquired_at: '2026-11-21T12:00:00.000+09:00',
    });
    expect(data.available_balance).toBe(data.balance);
    expect(data.opened_on).toMatch(/^20\d{6}$/);
  });

  it('balance 0 and no last transaction (R45)', async () => {
    const { data } = await run(action, { account: magic('0200') });
    expect(data).toMatchObject({ balance: 0, last_transacted_on: null });
  });

  it.each([
    ['0401', 'PROVIDER_CREDENTIAL_REJECTED', 'bank_a:E1401'],
    ['0423', 'PROVIDER_ACCOUNT_LOCKED', 'bank_a:E1423'],
    ['0440', 'PROVIDER_SESSION_EXPIRED', 'bank_a:S0001'],
    ['0402', 'PROVIDER_VALIDATION_ERROR', 'bank_a:E0402'],
    ['0520', 'PROVIDER_UPSTREAM_ERROR', undefined],
  ])('D142 …%s ends in %s', async (ending, code, providerErrorRef) => {
    const failure = await run(action, { account: magic(ending) }).then(
      () => expect.unreachable(),
      (error: unknown) => error as InstitutionError,
    );
    expect(failure).toMatchObject({ code, details: { upstreamStatus: 200 } });
    expect(failure.details.providerErrorRef).toBe(providerErrorRef);
  });
});

describe.each(Object.keys(BANKS) as Bank[])('account list of %s', (bank) => {
  const action = `${bank}.accounts.list`;

  it.each(['certificate', 'id'])('lists the accounts after a login by %s', async (way) => {
    const credential =
      way === 'certificate'
        ? await certificateCredential(demoCertificates.corporation)
        : passwordCredential(
            demoMembers.corporation.loginId,
            demoMembers.corporation.loginPassword,
          );
    const { call, data } = await run(action, { link: { credential } });
    expect(data.row_count).toBe(demoAccounts[bank].length);
    expect(items(data).at(0)?.masked_account_no).toMatch(/^\d{3}\*+\d{4}$/);
    expect(JSON.stringify(data)).not.toContain(demoAccounts[bank].at(0)?.accountNo);
    expect(call.requests.at(-1)?.path).toMatch(/logout/);
  });

  it('logs out again when a page of the list cannot be read', async () => {
    const pages: string[] = [];
    const baseUrl = simulators.urls[bank];
    const http = brokenAt(baseUrl, (path) => /(?:page|pageNo|pageIndex|p)=2/.test(path), pages);
    const ids = Array.from({ length: 30 }, (_, index) => `somebody${index}`);
    for (const id of ids) {
      const credential = passwordCredential(id, 'demo1234!');
      const failure = await run(action, { link: { credential }, http }).catch(
        (error: unknown) => error,
      );
      if (!(failure instanceof Error)) continue;
      expect(failure).toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
      expect(pages.at(-1)).toMatch(/logout/);
      return;
    }
    expect.unreachable('no member with more than ten accounts');
  });

  it('logs out again when the first page after the login cannot be read', async () => {
    const asked: string[] = [];
    const http = changedHttp((response, { path }) => {
      asked.push(path);
      // Without the line that states the number of accounts.
      const html = Buffer.from(response.bytes).toString('latin1');
      const bytes = Buffer.from(html.replace(TOTAL_LINE, ''), 'latin1');
      return { ...response, bytes, text: () => decodeText(bytes, response.contentType) };
    });
    const credential = passwordCredential('somebody1', 'demo1234!');
    await expect(run(action, { link: { credential }, http })).rejects.toMatchObject({
      code: 'PROVIDER_UPSTREAM_ERROR',
    });
    expect(asked.at(-1)).toMatch(/logout/);
  });

  it('reads every page', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `somebody${index}`);
    for (const id of ids) {
      const credential = passwordCredential(id, 'demo1234!');
      const { data } = await run(action, { link: { credential } });
      expect(data.row_count).toBe(items(data).length);
      if (Number(data.row_count) > 10) return;
    }
    expect.unreachable('no member with more than ten accounts');
  });

  it('succeeds without accounts (R45)', async () => {
    const credential = passwordCredential('somebody0200', 'demo1234!');
    const { data } = await run(action, { link: { credential } });
    expect(data).toEqual({ success: true, row_count: 0, items: [] });
  });

  it.each([
    ['0401', 'PROVIDER_CREDENTIAL_REJECTED'],
    ['0423', 'PROVIDER_ACCOUNT_LOCKED'],
    ['0503', 'PROVIDER_MAINTENANCE'],
    ['0520', 'PROVIDER_UPSTREAM_ERROR'],
    ['0440', 'PROVIDER_SESSION_EXPIRED'],
    ['0409', 'PROVIDER_SESSION_EXPIRED'],
    ['0402', 'PROVIDER_VALIDATION_ERROR'],
  ])('D142 …%s ends in %s', async (ending, code) => {
    const credential = passwordCredential(`somebody${ending}`, 'demo1234!');
    await expect(run(action, { link: { credential } })).rejects.toMatchObject({ code });
  });
});
