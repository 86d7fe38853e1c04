import { describe, expect, it } from 'vitest';
import type { Bank } from '../src/index.ts';
import { demoAccounts, demoCertificates, demoMembers } from '../src/index.ts';
import { demoAsk, type HistoryBank, inquire, readHistory, unlistedAsk } from './quick-inquiry.ts';
import { certificateLogin, labelled, rowsOf, useStage, won } from './stage.ts';

const stage = useStage();
const HISTORY_BANKS: readonly HistoryBank[] = ['bank_b', 'bank_c', 'bank_d'];
const { loginId, loginPassword } = demoMembers.corporation;

describe('bank_a', () => {
  it('shows the balance of an account without a login', async () => {
    const browser = stage.browser('bank_a');
    await inquire(browser, 'bank_a', demoAsk('bank_a'));
    expect(labelled(browser, 'table.tbl_detail')).toEqual({
      예금주명: demoMembers.corporation.name,
      계좌번호: '100-123-450011',
      예금종류: expect.any(String),
      계좌잔액: expect.stringMatching(/^[\d,]+원$/),
      출금가능금액: expect.stringMatching(/^[\d,]+원$/),
      신규일자: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      최종거래일자: expect.stringMatching(/^2026-11-\d\d$/),
      조회일시: '2026-11-20 14:00:00',
    });
  });
});

describe.each(HISTORY_BANKS)('%s history', (bank) => {
  it('pages through rows whose balances and totals add up', async () => {
    const browser = stage.browser(bank);
    await inquire(browser, bank, demoAsk(bank));
    const history = await readHistory(browser, bank);
    expect(history.pages).toBe(Math.ceil(history.count / 10));
    expect(history.pages).toBeGreaterThan(2);
    expect(history.rows).toHaveLength(history.count);
    let balance = history.opening;
    for (const row of history.rows.toReversed()) {
      balance += row.deposit - row.withdrawal;
      expect(row.after).toBe(balance);
      expect(row.at).toMatch(/^2026-1[01]-\d\d \d\d:\d\d:\d\d$/);
    }
    expect(history.closing).toBe(balance);
    expect(history.opening + history.deposits - history.withdrawals).toBe(history.closing);
  });

  it('shows the rows of a day the same in every range', async () => {
    const browser = stage.browser(bank);
    await inquire(browser, bank, { ...demoAsk(bank), from: '20261101', to: '20261110' });
    const narrow = await readHistory(browser, bank);
    await inquire(browser, bank, { ...demoAsk(bank), from: '20261015', to: '20261115' });
    const wide = await readHistory(browser, bank);
    const inside = wide.rows.filter(({ at }) => at >= '2026-11-01' && at < '2026-11-11');
    expect(narrow.rows.length).toBeGreaterThan(0);
    expect(inside).toEqual(narrow.rows);
  });

  it.each([
    ['start after end', { from: '20261120', to: '20261101' }],
    ['an end in the future', { from: '20261101', to: '20261121' }],
    ['too long a range', { from: '20250101', to: '20261101' }],
    ['a day that does not exist', { from: '20260230', to: '20261101' }],
    ['a short account number', { accountNo: '1234567' }],
    ['three digits of password', { password: '123' }],
    ['an owner number of another shape', { ownerNumber: '12345' }],
    ['the owner number of another person', { ownerNumber: '1234567891' }],
  ])('refuses %s', async (_, change) => {
    const browser = stage.browser(bank);
    await inquire(browser, bank, { ...demoAsk(bank), ...change });
    expect(browser.view.status).toBe(200);
    expect(browser.view.html).toMatch(/하여 주십시오|늦습니다|까지|일치하지 않습니다/);
    expect(browser.view.html).not.toMatch(/이월잔액|시작 잔액/);
  });
});

describe('differences between the banks', () => {
  it('bank_b labels EUC-KR in the header, prints two rows a transaction and joins date and time', async () => {
    const browser = stage.browser('bank_b');
    await inquire(browser, 'bank_b', demoAsk('bank_b'));
    const { $, contentType, bytes } = browser.view;
    expect(contentType).toBe('text/html; charset=euc-kr');
    expect(bytes.includes(Buffer.from('거래일시'))).toBe(false);
    expect($('table.tType02 tbody tr')).toHaveLength(20);
    expect($('table.tType02 td[rowspan]').first().text()).toMatch(/^\d{4}\.\d\d\.\d{4}:\d\d:\d\d$/);
  });

  it('bank_c leaves its charset to the meta element and allows 92 days', async () => {
    const browser = stage.browser('bank_c');
    await inquire(browser, 'bank_c', { ...demoAsk('bank_c'), from: '20260820', to: '20261120' });
    expect(browser.view.html).toContain('최대 92일');
    await inquire(browser, 'bank_c', { ...demoAsk('bank_c'), from: '20260821', to: '20261120' });
    expect(browser.view.contentType).toBe('text/html');
    expect(browser.view.$('#tblTrns tbody tr')).toHaveLength(10);
  });

  it.each([
    ['bank_b', '조회구분'],
    ['bank_c', 'inoutGb'],
    ['bank_d', 'type'],
  ] as const)('%s refuses a direction that it does not offer', async (bank, name) => {
    const browser = stage.browser(bank);
    await inquire(browser, bank, demoAsk(bank), { [name]: 'constructor' });
    expect(browser.view.html).toContain('조회구분을 확인하여 주십시오.');
  });

  it('bank_b filters by direction and sorts, with the totals of the whole period', async () => {
    const browser = stage.browser('bank_b');
    await inquire(browser, 'bank_b', demoAsk('bank_b'));
    const all = await readHistory(browser, 'bank_b');
    await inquire(browser, 'bank_b', demoAsk('bank_b'), { 조회구분: '2', 정렬: '2' });
    const deposits = await readHistory(browser, 'bank_b');
    expect(deposits.rows).toEqual(all.rows.filter((row) => row.deposit > 0).toReversed());
    expect(deposits.deposits).toBe(all.deposits);
    expect(deposits.withdrawals).toBe(all.withdrawals);
  });
});

describe('account lists', () => {
  const LISTS: Record<Bank, readonly [page: string, id: string, password: string, rows: string]> = {
    bank_a: ['/login', 'userId', 'userPwd', 'table.tbl_list tbody tr'],
    bank_b: ['/login.jsp', '이용자ID', '이용자비밀번호', 'table.tType02 tbody tr'],
    bank_c: ['/login/login.do', 'userId', 'userPass', '#tblAcct tbody tr'],
    bank_d: ['/login', 'id', 'password', 'ul.account_list li'],
  };
  const banks = Object.keys(LISTS) as Bank[]; // The keys of a literal above.

  it.each(banks)('%s lists the accounts of the demo company after an id login', async (bank) => {
    const [page, id, password, rows] = LISTS[bank];
    const browser = stage.browser(bank);
    await browser.get(page);
    await browser.submit('#idLoginForm', { [id]: loginId, [password]: loginPassword });
    expect(browser.view.status).toBe(303);
    await browser.follow();
    const texts = browser.view
      .$(rows)
      .toArray()
      .map((row) => browser.view.$(row).text().replaceAll('-', ''));
    const numbers = demoAccounts[bank].map(({ accountNo }) => accountNo);
    expect(texts).toHaveLength(numbers.length);
    expect(numbers.every((number) => texts.some((text) => text.includes(number)))).toBe(true);
  });

  it.each(banks)('%s lists them after a certificate login too, and logs out', async (bank) => {
    const browser = stage.browser(bank);
    await certificateLogin(browser, bank, demoCertificates.corporation);
    const list = browser.view.location ?? '';
    await browser.follow();
    expect(browser.view.$(LISTS[bank][3])).toHaveLength(demoAccounts[bank].length);
    const logout = bank === 'bank_b' ? 'form[name="FORM_LOGOUT"]' : '#logoutForm';
    await browser.submit(logout);
    await browser.get(list);
    expect(browser.view.html).toContain('로그인이 필요한 서비스입니다.');
  });

  it('the second demo link of bank_b sees its own account only', async () => {
    const browser = stage.browser('bank_b');
    await certificateLogin(browser, 'bank_b', demoCertificates.soleProprietor);
    await browser.follow();
    expect(rowsOf(browser, 'table.tType02').map(([number]) => number?.replaceAll('-', ''))).toEqual(
      demoAccounts.bank_b_second.map(({ accountNo }) => accountNo),
    );
  });

  it('pages a long list, and each listed account answers a quick inquiry with the same balance', async () => {
    const browser = stage.browser('bank_a');
    let total = 0;
    let suffix = 0;
    while (total <= 10) {
      suffix += 1;
      await browser.get('/login');
      await browser.submit('#idLoginForm', { userId: `company${suffix}`, userPwd: 'demo1234!' });
      await browser.follow();
      total = Number(browser.view.$('.total em').text());
    }
    const first = rowsOf(browser, 'table.tbl_list');
    await browser.get('/accounts?page=2');
    const second = rowsOf(browser, 'table.tbl_list');
    expect(first.length + second.length).toBe(total);
    expect(new Set([...first, ...second].map(([number]) => number)).size).toBe(total);
    const [number = '', , , balance = ''] = second[0] ?? [];
    await inquire(browser, 'bank_a', unlistedAsk(number.replaceAll('-', '')));
    expect(won(labelled(browser, 'table.tbl_detail').계좌잔액 ?? '')).toBe(won(balance));
    await browser.get('/accounts?page=3');
    expect(browser.view.$('.nodata').text()).toBe('조회된 내역이 없습니다.');
  });
});
