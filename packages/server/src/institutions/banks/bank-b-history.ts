import type { Call } from '../connector.ts';
import { readForm } from '../portal/form.ts';
import {
  brokenPage,
  cell,
  elements,
  isWithin,
  labelled,
  labelledValues,
  type PortalPage,
  required,
  requireTitles,
  type Selection,
} from '../portal/page.ts';
import { openPortal, type PortalFace } from '../portal/portal.ts';
import { printedCount, printedMoment, printedWon, textOrNull } from '../portal/printed-values.ts';
import { inquiryCredentials } from './quick-inquiry.ts';
import { type Inquiry, readStatement } from './read-statement.ts';
import type { HistoryQuery, Statement, StatementHead, Transaction } from './statement.ts';

const DIRECTIONS = { all: '1', in: '2', out: '3' } as const;
const ORDERS = { desc: '1', asc: '2' } as const;
const ROWS = '#content > table.tType02';
const TITLES = [
  ['거래일시', '적요', '출금액(원)', '입금액(원)', '잔액(원)', '거래점'],
  ['보낸분/받는분', '송금메모'],
].flat();

/** Quick inquiry of bank B: EUC-KR, Korean field names, two table rows per transaction. */
export async function bankBHistory(
  call: Call,
  face: PortalFace,
  query: HistoryQuery,
): Promise<Statement> {
  return readStatement(call, query, (period) => inquire(call, face, period));
}

async function inquire(call: Call, face: PortalFace, query: HistoryQuery): Promise<Inquiry> {
  const credentials = inquiryCredentials(call);
  const portal = openPortal(call, face);
  call.progress(1, 3, '은행에 접속하고 있습니다');
  const inquiry = readForm(await portal.get('/quick/inquiry.jsp'), 'form[name="FORM_QUICK"]');
  call.progress(2, 3, '거래내역을 조회하고 있습니다');
  const fields = {
    계좌번호: credentials.accountNumber,
    비밀번호: credentials.password,
    주민사업자번호: credentials.owner,
    조회시작일자: query.from,
    조회종료일: query.to,
    조회구분: DIRECTIONS[query.direction],
    정렬: ORDERS[query.order],
  };
  return portal.logIn(inquiry, fields, (first) => ({
    first,
    head: headOf(first),
    totalOf: (page) => headOf(page).rowCount,
    rowsOf: transactionsOf,
    next: (page, number) =>
      portal.submit(readForm(page, 'form[name="FORM_PAGE"]'), { 페이지번호: String(number) }),
  }));
}

function headOf(page: PortalPage): StatementHead {
  const values = labelledValues(page, '#content > table.tType01');
  const won = (label: string) => printedWon(labelled(values, label));
  return {
    openingBalance: won('이월잔액'),
    closingBalance: won('최종잔액'),
    depositTotal: won('입금합계'),
    withdrawalTotal: won('출금합계'),
    rowCount: printedCount(labelled(values, '조회건수')),
  };
}

function transactionsOf(page: PortalPage): Transaction[] {
  const table = required(page, ROWS);
  if (table.find('td.nodata').length > 0) return [];
  requireTitles(page, ROWS, TITLES);
  const lines = elements(page, table.find('tr')).filter((line) => !isWithin(line, 'thead'));
  if (lines.length % 2 !== 0) throw brokenPage(page.status);
  const transactions: Transaction[] = [];
  for (let index = 0; index < lines.length; index += 2) {
    transactions.push(
      transactionOf(cellsOf(page, lines[index], 6), cellsOf(page, lines[index + 1], 2)),
    );
  }
  return transactions;
}

function transactionOf(upper: readonly Selection[], lower: readonly Selection[]): Transaction {
  return {
    at: printedMoment(cell(upper, 0)),
    description: cell(upper, 1),
    withdrawal: printedWon(cell(upper, 2) || '0'),
    deposit: printedWon(cell(upper, 3) || '0'),
    balanceAfter: printedWon(cell(upper, 4)),
    branch: textOrNull(cell(upper, 5)),
    counterparty: textOrNull(cell(lower, 0)),
    memo: textOrNull(cell(lower, 1)),
  };
}

function cellsOf(page: PortalPage, line: Selection | undefined, count: number): Selection[] {
  const cells = line === undefined ? [] : elements(page, line.children('td'));
  if (cells.length !== count) throw brokenPage(page.status);
  return cells;
}
