import type { Call } from '../connector.ts';
import { endingLogin, type Logout } from '../portal/ending-login.ts';
import { readForm } from '../portal/form.ts';
import {
  brokenPage,
  elements,
  labelled,
  labelledValues,
  type PortalPage,
  required,
  type Selection,
  textOf,
} from '../portal/page.ts';
import { openPortal, type Portal, type PortalFace } from '../portal/portal.ts';
import { printedCount, printedMoment, printedWon, textOrNull } from '../portal/printed-values.ts';
import { openByConsent } from './accounts-list.ts';
import { type InquiryCredentials, inquiryCredentials } from './quick-inquiry.ts';
import { type Inquiry, readStatement } from './read-statement.ts';
import type { HistoryQuery, Statement, StatementHead, Transaction } from './statement.ts';

const DIRECTIONS = { all: 'ALL', in: 'DEPOSIT', out: 'WITHDRAW' } as const;

/** Quick inquiry of bank D: lists instead of tables; the owner may be identified by consent. */
export async function bankDHistory(
  call: Call,
  face: PortalFace,
  logout: Logout,
  query: HistoryQuery,
): Promise<Statement> {
  const credentials = inquiryCredentials(call);
  const portal = openPortal(call, face);
  const read = () =>
    readStatement(call, query, (period) => inquire(call, portal, credentials, period));
  const credential = call.link?.credential;
  call.progress(1, 3, '은행에 접속하고 있습니다');
  if (credential?.type !== 'consent') return read();
  return endingLogin(call, portal, logout, async () => {
    await openByConsent({ face }, portal, credential);
    return read();
  });
}

async function inquire(
  call: Call,
  portal: Portal,
  credentials: InquiryCredentials,
  query: HistoryQuery,
): Promise<Inquiry> {
  const inquiry = readForm(await portal.get('/inquiry'), '#inquiryForm');
  call.progress(2, 3, '거래내역을 조회하고 있습니다');
  const fields = {
    account: credentials.accountNumber,
    pin: credentials.password,
    owner: credentials.owner,
    start: query.from,
    end: query.to,
    type: DIRECTIONS[query.direction],
    sort: query.order === 'asc' ? 'ASC' : 'DESC',
  };
  return portal.logIn(inquiry, fields, (first) => ({
    first,
    head: headOf(first),
    totalOf: (page) => headOf(page).rowCount,
    rowsOf: transactionsOf,
    next: (_page, number) => portal.get('/inquiry/result', { p: String(number) }),
  }));
}

function headOf(page: PortalPage): StatementHead {
  const values = labelledValues(page, '#content > dl.totals');
  const won = (label: string) => printedWon(labelled(values, label));
  return {
    openingBalance: won('시작 잔액'),
    closingBalance: won('종료 잔액'),
    depositTotal: won('입금 합계'),
    withdrawalTotal: won('출금 합계'),
    rowCount: printedCount(labelled(values, '거래 건수')),
  };
}

function transactionsOf(page: PortalPage): Transaction[] {
  if (page.$('#content > p.empty').length > 0) return [];
  const list = required(page, '#content > ul.tx_list');
  return elements(page, list.children('li')).map(transactionOf);
}

/** The sign of the amount gives the direction. */
function transactionOf(item: Selection): Transaction {
  const part = (name: string) => textOf(item.children(`.${name}`));
  const amount = printedWon(part('amount'));
  const incoming = item.hasClass('in');
  if (incoming === amount < 0) throw brokenPage();
  return {
    at: printedMoment(part('when')),
    deposit: incoming ? amount : 0,
    withdrawal: incoming ? 0 : -amount,
    balanceAfter: printedWon(part('after')),
    description: part('title'),
    counterparty: textOrNull(part('who')),
    branch: textOrNull(part('branch')),
    memo: textOrNull(part('memo')),
  };
}
