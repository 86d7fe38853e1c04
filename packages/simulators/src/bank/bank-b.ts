import type { Html } from '../portal/html.ts';
import { html, scriptString } from '../portal/html.ts';
import type { PageOf } from '../portal/paging.ts';
import { emptyRow, money, pageNumbers, tableBody, tableHead } from '../portal/paging.ts';
import type { Look, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, pageNumber, prose, redirect } from '../portal/visit.ts';
import { dayOf, formatDay, formatTime, parseDay } from '../seed/kst.ts';
import type { BankAccount } from './accounts.ts';
import { hyphenateAccount } from './accounts.ts';
import type { BankDesk, BankLogin, BankPortal } from './bank-portal.ts';
import { accountListPage, balanceOf, loginRoutes, openDesk } from './bank-portal.ts';
import type { Direction, LedgerRow } from './ledger.ts';
import type { HistoryInquiry } from './quick-inquiry.ts';
import { currentInquiry, historyPage, openHistory, openInquiry } from './quick-inquiry.ts';

const TOKEN = '_csrf';
const MAX_DAYS = 366;

const look: Look = {
  name: '나라은행',
  tokenField: TOKEN,
  cookie: 'WMONID',
  charset: () => 'euc-kr',
  contentType: () => 'text/html; charset=euc-kr',
  message: (text, code) =>
    html`<script type="text/javascript">alert(${scriptString(`${text} (오류코드 : ${code})`)});history.back();</script>`,
  logout: { form: 'FORM_LOGOUT', action: '/logout.jsp' },
};

const LOGIN: BankLogin = {
  page: '/login.jsp',
  accounts: '/accounts.jsp',
  logout: '/logout.jsp',
  password: {
    action: '/loginId.jsp',
    tokenField: TOKEN,
    idField: '이용자ID',
    passwordField: '이용자비밀번호',
  },
  certificate: {
    action: '/loginCert.jsp',
    tokenField: TOKEN,
    nonceField: '전자서명원문',
    certificateField: '인증서',
    signatureField: '전자서명',
  },
};
const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['1', 'all'],
  ['2', 'in'],
  ['3', 'out'],
]);

function quickForm(visit: Visit): Html {
  return html`<form name="FORM_QUICK" method="post" action="/quick/inquiryResult.jsp" accept-charset="euc-kr">
${hidden(TOKEN, visit.session.csrf)}${hidden('빠른조회', 'Y')}
<table class="tType01"><tbody>
<tr><th>계좌번호</th><td><input type="text" name="계좌번호" maxlength="16"></td></tr>
<tr><th>비밀번호</th><td><input type="password" name="비밀번호" maxlength="4"></td></tr>
<tr><th>주민/사업자번호</th><td><input type="text" name="주민사업자번호" maxlength="10"></td></tr>
<tr><th>조회기간</th><td><input type="text" name="조회시작일자" maxlength="8"> ~ <input type="text" name="조회종료일" maxlength="8"></td></tr>
<tr><th>조회구분</th><td><select name="조회구분"><option value="1">전체</option><option value="2">입금</option><option value="3">출금</option></select></td></tr>
<tr><th>정렬순서</th><td><select name="정렬"><option value="1">최근거래순</option><option value="2">과거거래순</option></select></td></tr>
</tbody></table>
<input type="image" src="/img/btn_search.gif" alt="조회">
</form>`;
}

function summary(inquiry: HistoryInquiry, now: number): Html {
  const { account, statement, fromDay, toDay, rows } = inquiry;
  const pairs: [string, string][] = [
    ['계좌번호', hyphenateAccount(account.number)],
    ['예금주', account.holder],
    ['예금종류', account.product],
    ['현재잔액', money(balanceOf(account, now))],
    ['조회기간', `${formatDay(fromDay, '.')} ~ ${formatDay(toDay, '.')}`],
    ['조회건수', `${rows.length}건`],
    ['이월잔액', money(statement.openingBalance)],
    ['최종잔액', money(statement.closingBalance)],
    ['입금합계', money(statement.depositTotal)],
    ['출금합계', money(statement.withdrawalTotal)],
  ];
  const cells = pairs.map(([label, value]) => html`<th>${label}</th><td>${value}</td>`);
  const lines = Array.from(
    { length: cells.length / 2 },
    (_, index) => html`<tr>${cells.slice(index * 2, index * 2 + 2)}</tr>\n`,
  );
  return html`<table class="tType01" summary="계좌 기본정보"><tbody>
${lines}</tbody></table>`;
}

function transactionRows(visit: Visit, row: LedgerRow): Html {
  const time = html`${formatDay(dayOf(row.at), '.')}<br>${formatTime(row.at)}`;
  return html`<tr><td rowspan="2">${time}</td><td>${prose(visit, row.description)}</td><td class="r">${row.withdrawal === 0 ? '' : money(row.withdrawal)}</td><td class="r">${row.deposit === 0 ? '' : money(row.deposit)}</td><td class="r">${money(row.balanceAfter)}</td><td>${row.branch}</td></tr>
<tr><td>${prose(visit, row.counterparty)}</td><td colspan="4">${prose(visit, row.memo)}</td></tr>
`;
}

function historyTable(visit: Visit, current: PageOf<LedgerRow>): Html {
  const rows = current.rows.map((row) => transactionRows(visit, row));
  return html`<table class="tType02" summary="거래내역"><thead>
<tr><th rowspan="2">거래일시</th><th>적요</th><th>출금액(원)</th><th>입금액(원)</th><th>잔액(원)</th><th>거래점</th></tr>
<tr><th>보낸분/받는분</th><th colspan="4">송금메모</th></tr>
</thead><tbody>
${rows.length === 0 ? emptyRow(6) : rows}</tbody></table>`;
}

function historyReply(visit: Visit, inquiry: HistoryInquiry, number: number): Reply {
  const current = historyPage(visit, inquiry, number);
  const content = html`${summary(inquiry, visit.now)}
${historyTable(visit, current)}
<div class="paging">${pageNumbers(current, (target) => html`<a href="javascript:goPage(${target});">${target}</a>`)}</div>
<form name="FORM_PAGE" method="post" action="/quick/inquiryPage.jsp">
${hidden(TOKEN, visit.session.csrf)}${hidden('조회키', inquiry.signIn.log.session)}${hidden('페이지번호', String(number))}
</form>`;
  return page('빠른조회 결과', content, inquiry.signIn);
}

function inquire(visit: Visit, desk: BankDesk): Reply {
  const opened = openInquiry(visit, desk.book, desk.attempts, {
    accountNo: field(visit, '계좌번호'),
    password: field(visit, '비밀번호'),
    ownerNo: field(visit, '주민사업자번호'),
  });
  const range = {
    fromDay: parseDay(field(visit, '조회시작일자')),
    toDay: parseDay(field(visit, '조회종료일')),
    direction: DIRECTIONS.get(field(visit, '조회구분')) ?? null,
    newestFirst: field(visit, '정렬') !== '2',
  };
  return historyReply(visit, openHistory(visit, opened, range, MAX_DAYS), 1);
}

function inquireFurther(visit: Visit): Reply {
  const inquiry = currentInquiry(visit);
  if (field(visit, '조회키') !== inquiry.signIn.log.session) {
    throw refuse('조회정보가 올바르지 않습니다. 처음부터 다시 조회하여 주십시오.', 'E2301');
  }
  return historyReply(visit, inquiry, pageNumber(field(visit, '페이지번호')));
}

const COLUMNS = ['계좌번호', '예금종류', '별칭', '현재잔액', '신규일', '상태'];

function accountRow(visit: Visit, account: BankAccount): Html {
  return html`<tr><td>${hyphenateAccount(account.number)}</td><td>${account.product}</td><td>${prose(visit, account.nickname)}</td><td class="r">${money(balanceOf(account, visit.now))}</td><td>${formatDay(account.openedOn, '.')}</td><td>정상</td></tr>`;
}

function accountList(visit: Visit, desk: BankDesk): Reply {
  const { current, signIn } = accountListPage(visit, desk, 'pageNo');
  const content = html`<p>총 ${current.total}건</p>
<table class="tType02">${tableHead(COLUMNS)}
${tableBody(current.rows, COLUMNS.length, (account) => accountRow(visit, account))}</table>
<div class="paging">${pageNumbers(current, (number) => html`<a href="/accounts.jsp?pageNo=${number}">${number}</a>`)}</div>`;
  return page('전체계좌조회', content, signIn);
}

/** Bank B: EUC-KR with Korean field names; two table rows per transaction. */
export function createBankB(base: PortalBase): BankPortal {
  const desk = openDesk('bank_b');
  return {
    ...base,
    look,
    book: desk.book,
    routes: [
      get('/', () => redirect('/quick/inquiry.jsp')),
      get('/quick/inquiry.jsp', (visit) => page('빠른조회', quickForm(visit))),
      post('/quick/inquiryResult.jsp', (visit) => inquire(visit, desk)),
      post('/quick/inquiryPage.jsp', inquireFurther),
      get('/accounts.jsp', (visit) => accountList(visit, desk)),
      ...loginRoutes(desk, LOGIN),
    ],
  };
}
