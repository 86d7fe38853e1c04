import type { Bank } from '../src/index.ts';
import { demoAccounts, UNLISTED_ACCOUNT_PASSWORD } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { won } from './stage.ts';

/** What a test asks a bank; `from` and `to` are YYYYMMDD. */
export interface Ask {
  accountNo: string;
  password: string;
  ownerNumber: string;
  from?: string;
  to?: string;
}

interface Row {
  at: string;
  deposit: number;
  withdrawal: number;
  after: number;
}

export interface History {
  rows: Row[];
  pages: number;
  opening: number;
  closing: number;
  deposits: number;
  withdrawals: number;
  count: number;
}

export type HistoryBank = Exclude<Bank, 'bank_a'>;

export function demoAsk(bank: Bank): Ask {
  const [account] = demoAccounts[bank];
  if (!account) throw new Error(`no demo account at ${bank}`);
  return { ...account, password: account.accountPassword };
}

export function unlistedAsk(accountNo: string): Ask {
  return { accountNo, password: UNLISTED_ACCOUNT_PASSWORD, ownerNumber: '1234567891' };
}

const dashed = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;

const INQUIRIES: Record<Bank, readonly [page: string, form: string]> = {
  bank_a: ['/quick/balance', '#quickForm'],
  bank_b: ['/quick/inquiry.jsp', 'form[name="FORM_QUICK"]'],
  bank_c: ['/easy/inquiry.do', '#easyForm'],
  bank_d: ['/inquiry', '#inquiryForm'],
};

function fieldsOf(bank: Bank, ask: Ask): Record<string, string> {
  const { accountNo, password, ownerNumber, from = '20261001', to = '20261120' } = ask;
  switch (bank) {
    case 'bank_a':
      return { acctNo: accountNo, acctPwd: password, ownerNo: ownerNumber };
    case 'bank_b':
      return {
        계좌번호: accountNo,
        비밀번호: password,
        주민사업자번호: ownerNumber,
        조회시작일자: from,
        조회종료일: to,
      };
    case 'bank_c':
      return {
        acctNo: accountNo,
        acctPass: password,
        bizJuminNo: ownerNumber,
        fromYmd: dashed(from),
        toYmd: dashed(to),
      };
    case 'bank_d':
      return { account: accountNo, pin: password, owner: ownerNumber, start: from, end: to };
  }
}

/** Sends the quick inquiry form of a bank, with some of its fields changed; the answer is in the browser. */
export async function inquire(
  browser: Browser,
  bank: Bank,
  ask: Ask,
  changed: Record<string, string> = {},
): Promise<void> {
  const [page, form] = INQUIRIES[bank];
  await browser.get(page);
  await browser.submit(form, { ...fieldsOf(bank, ask), ...changed });
  if (bank === 'bank_d' && browser.view.location) await browser.follow();
}

/** Turns to the next page; false on the last one. */
async function turn(browser: Browser, bank: HistoryBank, next: number): Promise<boolean> {
  const { $, html } = browser.view;
  if (bank === 'bank_b') {
    if (!html.includes(`goPage(${next})`)) return false;
    await browser.submit('form[name="FORM_PAGE"]', { 페이지번호: String(next) });
  } else if (bank === 'bank_c') {
    if ($('#nextForm').length === 0) return false;
    await browser.submit('#nextForm');
  } else {
    const href = $(`nav.pages a[href="/inquiry/result?p=${next}"]`).attr('href');
    if (href === undefined) return false;
    await browser.get(href);
  }
  return true;
}

function rowsB({ view: { $ } }: Browser): Row[] {
  return $('table.tType02 tbody tr:has(td[rowspan])')
    .toArray()
    .map((row) => {
      const text = (index: number): string => $(row).find('td').eq(index).text();
      const moment = /^(\d{4})\.(\d\d)\.(\d\d)(\d\d:\d\d:\d\d)$/.exec(text(0));
      return {
        at: `${moment?.[1]}-${moment?.[2]}-${moment?.[3]} ${moment?.[4]}`,
        withdrawal: won(text(2)),
        deposit: won(text(3)),
        after: won(text(4)),
      };
    });
}

function rowsC({ view: { $ } }: Browser): Row[] {
  return $('#tblTrns tbody tr:not(:has(.nodata))')
    .toArray()
    .map((row) => {
      const text = (index: number): string => $(row).find('td').eq(index).text();
      const amount = won(text(3));
      return {
        at: `${text(0)} ${text(1)}`,
        deposit: text(2) === '입금' ? amount : 0,
        withdrawal: text(2) === '출금' ? amount : 0,
        after: won(text(4)),
      };
    });
}

function rowsD({ view: { $ } }: Browser): Row[] {
  return $('ul.tx_list li')
    .toArray()
    .map((item) => {
      const text = (name: string): string => $(item).find(`.${name}`).text();
      const amount = won(text('amount'));
      return {
        at: text('when').replaceAll('.', '-'),
        deposit: Math.max(amount, 0),
        withdrawal: Math.max(-amount, 0),
        after: won(text('after')),
      };
    });
}

const ROWS = { bank_b: rowsB, bank_c: rowsC, bank_d: rowsD };
const TOTALS: Record<HistoryBank, readonly string[]> = {
  bank_b: ['이월잔액', '최종잔액', '입금합계', '출금합계', '조회건수'],
  bank_c: ['이월잔액', '최종잔액', '입금합계', '출금합계', '총건수'],
  bank_d: ['시작 잔액', '종료 잔액', '입금 합계', '출금 합계', '거래 건수'],
};

function total({ view: { $ } }: Browser, label: string): number {
  const cell = $('th, dt, .tit')
    .filter((_, element) => $(element).text() === label)
    .first()
    .next();
  return Number(cell.text().replace(/[^\d-]/g, ''));
}

/** Reads all pages of the inquiry that is open in the browser. */
export async function readHistory(browser: Browser, bank: HistoryBank): Promise<History> {
  const [opening = 0, closing = 0, deposits = 0, withdrawals = 0, count = 0] = TOTALS[bank].map(
    (label) => total(browser, label),
  );
  const rows = ROWS[bank](browser);
  let pages = 1;
  while (await turn(browser, bank, pages + 1)) {
    pages += 1;
    rows.push(...ROWS[bank](browser));
  }
  return { rows, pages, opening, closing, deposits, withdrawals, count };
}
