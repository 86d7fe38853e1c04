import { addDays } from '@changgu/contract';
import type { Call } from '../connector.ts';
import { readForm } from '../portal/form.ts';
import {
  brokenPage,
  cell,
  elements,
  labelled,
  type PortalPage,
  required,
  type Selection,
  tableRows,
  textOf,
} from '../portal/page.ts';
import { openPortal, type PortalFace } from '../portal/portal.ts';
import { printedCount, printedMoment, printedWon, textOrNull } from '../portal/printed-values.ts';
import { type InquiryCredentials, inquiryCredentials } from './quick-inquiry.ts';
import { type Inquiry, restOf, statementReader } from './read-statement.ts';
import {
  assertAddsUp,
  type HistoryQuery,
  type Statement,
  type StatementHead,
  type Transaction,
} from './statement.ts';

/** The longest period of one inquiry at this bank, in days. */
const MAX_DAYS = 92;
const COLUMNS = [
  '거래일자',
  '거래시각',
  '구분',
  '거래금액',
  '거래후잔액',
  '내용',
  '상대계좌예금주명',
  '취급점',
  '메모',
];
const DIRECTIONS = { all: 'A', in: 'I', out: 'O' } as const;

/** Easy inquiry of bank C: newest first, 92 days at a time; longer periods are combined. */
export async function bankCHistory(
  call: Call,
  face: PortalFace,
  query: HistoryQuery,
): Promise<Statement> {
  const credentials = inquiryCredentials(call);
  const reader = statementReader(call, (period) => inquire(call, face, credentials, period));
  let whole: Statement | null = null;
  for (const part of partsOf(query)) {
    const statement: Statement | null =
      whole === null ? await reader.read(part) : await reader.readIfTime(part);
    if (statement === null) break;
    assertAddsUp(statement, part);
    whole = whole === null ? statement : joined(whole, statement);
    if (restOf(part, statement) !== null) break;
  }
  if (whole === null) throw new TypeError('a period without a day');
  return query.order === 'asc' ? { ...whole, rows: whole.rows.toReversed() } : whole;
}

/** Newest part first, each in the bank's own order. */
function partsOf(query: HistoryQuery): HistoryQuery[] {
  const parts: HistoryQuery[] = [];
  for (let to = query.to; to >= query.from; ) {
    const earliest = addDays(to, 1 - MAX_DAYS);
    // YYYYMMDD dates compare as text.
    const from = [earliest, query.from].toSorted().at(-1) ?? query.from;
    parts.push({ ...query, from, to, order: 'desc' });
    to = addDays(from, -1);
  }
  return parts;
}

/** @throws InstitutionError when the older part does not end where the newer one begins */
function joined(newer: Statement, older: Statement): Statement {
  if (older.closingBalance !== newer.openingBalance) throw brokenPage();
  return {
    from: older.from,
    to: newer.to,
    openingBalance: older.openingBalance,
    closingBalance: newer.closingBalance,
    depositTotal: older.depositTotal + newer.depositTotal,
    withdrawalTotal: older.withdrawalTotal + newer.withdrawalTotal,
    rowCount: older.rowCount + newer.rowCount,
    rows: [...newer.rows, ...older.rows],
  };
}

async function inquire(
  call: Call,
  face: PortalFace,
  credentials: InquiryCredentials,
  query: HistoryQuery,
): Promise<Inquiry> {
  const portal = openPortal(call, face);
  call.progress(1, 3, '은행에 접속하고 있습니다');
  const inquiry = readForm(await portal.get('/easy/inquiry.do'), '#easyForm');
  call.progress(2, 3, '거래내역을 조회하고 있습니다');
  const fields = {
    acctNo: credentials.accountNumber,
    acctPass: credentials.password,
    bizJuminNo: credentials.owner,
    fromYmd: hyphenated(query.from),
    toYmd: hyphenated(query.to),
    inoutGb: DIRECTIONS[query.direction],
  };
  return portal.logIn(inquiry, fields, (first) => ({
    first,
    head: headOf(first),
    totalOf: (page) => headOf(page).rowCount,
    rowsOf: transactionsOf,
    next: (page) =>
      page.$('#nextForm').length === 0 ? null : portal.submit(readForm(page, '#nextForm'), {}),
  }));
}

function headOf(page: PortalPage): StatementHead {
  const sums = new Map(
    elements(page, required(page, '#content > ul.sum_list').children('li')).map(
      (item) => [textOf(item.find('.tit')), textOf(item.find('em'))] as const,
    ),
  );
  const won = (label: string) => printedWon(labelled(sums, label));
  return {
    openingBalance: won('이월잔액'),
    closingBalance: won('최종잔액'),
    depositTotal: won('입금합계'),
    withdrawalTotal: won('출금합계'),
    rowCount: printedCount(labelled(sums, '총건수')),
  };
}

function transactionsOf(page: PortalPage): Transaction[] {
  return tableRows(page, '#content > #tblTrns', COLUMNS).map(transactionOf);
}

function transactionOf(row: readonly Selection[]): Transaction {
  const kind = cell(row, 2);
  if (kind !== '입금' && kind !== '출금') throw brokenPage();
  const amount = printedWon(cell(row, 3));
  return {
    at: printedMoment(`${cell(row, 0)} ${cell(row, 1)}`),
    deposit: kind === '입금' ? amount : 0,
    withdrawal: kind === '출금' ? amount : 0,
    balanceAfter: printedWon(cell(row, 4)),
    description: cell(row, 5),
    counterparty: textOrNull(cell(row, 6)),
    branch: textOrNull(cell(row, 7)),
    memo: textOrNull(cell(row, 8)),
  };
}

function hyphenated(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}
