import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import type { PageOf } from '../portal/paging.ts';
import { money, pageNumbers, tableBody, tableHead } from '../portal/paging.ts';
import type { Look, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, prose, redirect } from '../portal/visit.ts';
import { dayOf, formatDay, formatTime, parseDay } from '../seed/kst.ts';
import type { BankAccount } from './accounts.ts';
import { hyphenateAccount } from './accounts.ts';
import type { BankDesk, BankLogin, BankPortal } from './bank-portal.ts';
import { accountListPage, balanceOf, loginRoutes, openDesk } from './bank-portal.ts';
import type { Direction, LedgerRow } from './ledger.ts';
import type { HistoryInquiry } from './quick-inquiry.ts';
import { currentInquiry, historyPage, openHistory, openInquiry } from './quick-inquiry.ts';

const TOKEN = 'csrfToken';
const MAX_DAYS = 92;

const look: Look = {
  name: '다온은행',
  tokenField: TOKEN,
  cookie: 'DAONSESSION',
  charset: () => 'euc-kr',
  // No charset here: only the meta element says it, as old portals do.
  contentType: () => 'text/html',
  message: (text, code) =>
    html`<div id="layerError" class="layer"><dl><dt>오류 (${code})</dt><dd>${text}</dd></dl></div>`,
  logout: { form: 'logoutForm', action: '/login/logout.do' },
};

const LOGIN: BankLogin = {
  page: '/login/login.do',
  accounts: '/accounts/list.do',
  logout: '/login/logout.do',
  password: {
    action: '/login/idLogin.do',
    tokenField: TOKEN,
    idField: 'userId',
    passwordField: 'userPass',
  },
  certificate: {
    action: '/login/certLogin.do',
    tokenField: TOKEN,
    nonceField: 'challenge',
    certificateField: 'signCert',
    signatureField: 'signData',
  },
};
const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['A', 'all'],
  ['I', 'in'],
  ['O', 'out'],
]);

function easyForm(visit: Visit): Html {
  return html`<form id="easyForm" name="easyForm" method="post" action="/easy/inquiryList.do">
${hidden(TOKEN, visit.session.csrf)}
<ul class="form_list">
<li><label for="acctNo">계좌번호</label><input type="text" id="acctNo" name="acctNo"></li>
<li><label for="acctPass">계좌비밀번호</label><input type="password" id="acctPass" name="acctPass"></li>
<li><label for="bizJuminNo">사업자번호(생년월일)</label><input type="text" id="bizJuminNo" name="bizJuminNo"></li>
<li><label for="fromYmd">조회기간</label><input type="text" id="fromYmd" name="fromYmd"> ~ <input type="text" name="toYmd"></li>
<li><span>거래구분</span><label><input type="radio" name="inoutGb" value="A" checked>전체</label><label><input type="radio" name="inoutGb" value="I">입금</label><label><input type="radio" name="inoutGb" value="O">출금</label></li>
</ul>
<a href="#none" onclick="fn_search();" class="btn">조회</a>
</form>`;
}

function totals({ account, statement, rows }: HistoryInquiry): Html {
  const sums: [string, string][] = [
    ['이월잔액', `${money(statement.openingBalance)}원`],
    ['입금합계', `${money(statement.depositTotal)}원`],
    ['출금합계', `${money(statement.withdrawalTotal)}원`],
    ['최종잔액', `${money(statement.closingBalance)}원`],
    ['총건수', `${rows.length}건`],
  ];
  return html`<p class="acct_info">예금주 : ${account.holder} / 계좌번호 : ${hyphenateAccount(account.number)} / 예금종류 : ${account.product}</p>
<ul class="sum_list">${sums.map(([title, value]) => html`<li><span class="tit">${title}</span><em>${value}</em></li>\n`)}</ul>`;
}

const HISTORY_COLUMNS = [
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

function transactionRow(visit: Visit, row: LedgerRow): Html {
  const incoming = row.deposit > 0;
  return html`<tr class="${incoming ? 'in' : 'out'}"><td>${formatDay(dayOf(row.at), '-')}</td><td>${formatTime(row.at)}</td><td>${incoming ? '입금' : '출금'}</td><td class="num">${money(row.deposit + row.withdrawal)}원</td><td class="num">${money(row.balanceAfter)}원</td><td>${prose(visit, row.description)}</td><td>${prose(visit, row.counterparty)}</td><td>${row.branch}</td><td>${prose(visit, row.memo)}</td></tr>`;
}

/** The key of a page is opaque to the reader; it names the inquiry and the page. */
function pageKey(inquiry: HistoryInquiry, number: number): string {
  return Buffer.from(`${inquiry.signIn.log.session}:${number}`).toString('base64url');
}

function nextForm(visit: Visit, inquiry: HistoryInquiry, current: PageOf<LedgerRow>): Html | null {
  if (current.number >= current.last) return null;
  return html`<form id="nextForm" method="post" action="/easy/inquiryNext.do">${hidden(TOKEN, visit.session.csrf)}${hidden('nextKey', pageKey(inquiry, current.number + 1))}<button type="submit">다음 ▶</button></form>`;
}

function historyReply(visit: Visit, inquiry: HistoryInquiry, number: number): Reply {
  const current = historyPage(visit, inquiry, number);
  const content = html`${totals(inquiry)}
<table id="tblTrns" class="tbl">${tableHead(HISTORY_COLUMNS)}
${tableBody(current.rows, HISTORY_COLUMNS.length, (row) => transactionRow(visit, row))}</table>
${nextForm(visit, inquiry, current)}`;
  return page('간편거래내역조회', content, inquiry.signIn);
}

function inquire(visit: Visit, desk: BankDesk): Reply {
  const opened = openInquiry(visit, desk.book, desk.attempts, {
    accountNo: field(visit, 'acctNo'),
    password: field(visit, 'acctPass'),
    ownerNo: field(visit, 'bizJuminNo'),
  });
  const range = {
    fromDay: parseDay(field(visit, 'fromYmd'), '-'),
    toDay: parseDay(field(visit, 'toYmd'), '-'),
    direction: DIRECTIONS.get(field(visit, 'inoutGb')) ?? null,
    newestFirst: true,
  };
  return historyReply(visit, openHistory(visit, opened, range, MAX_DAYS), 1);
}

function inquireFurther(visit: Visit): Reply {
  const inquiry = currentInquiry(visit);
  const key = Buffer.from(field(visit, 'nextKey'), 'base64url').toString();
  const number = Number(key.split(':')[1]);
  if (key !== `${inquiry.signIn.log.session}:${number}` || !Number.isInteger(number)) {
    throw refuse('조회정보가 올바르지 않습니다. 처음부터 다시 조회하여 주십시오.', 'E2301');
  }
  return historyReply(visit, inquiry, number);
}

const ACCOUNT_COLUMNS = ['계좌번호', '예금종류', '별칭', '현재잔액', '신규일', '상태'];

function accountRow(visit: Visit, account: BankAccount): Html {
  return html`<tr><td><a href="#none">${hyphenateAccount(account.number)}</a></td><td>${account.product}</td><td>${prose(visit, account.nickname)}</td><td class="num">${money(balanceOf(account, visit.now))}원</td><td>${formatDay(account.openedOn, '-')}</td><td>정상</td></tr>`;
}

function accountList(visit: Visit, desk: BankDesk): Reply {
  const { current, signIn } = accountListPage(visit, desk, 'pageIndex');
  const content = html`<p class="count">조회결과 <strong>${current.total}</strong>건</p>
<table id="tblAcct" class="tbl">${tableHead(ACCOUNT_COLUMNS)}
${tableBody(current.rows, ACCOUNT_COLUMNS.length, (account) => accountRow(visit, account))}</table>
<p class="page">${pageNumbers(current, (number) => html`<a href="/accounts/list.do?pageIndex=${number}">${number}</a>`)}</p>`;
  return page('보유계좌조회', content, signIn);
}

/** Bank C: EUC-KR said only by the meta element; 92 days an inquiry; pages by an opaque key. */
export function createBankC(base: PortalBase): BankPortal {
  const desk = openDesk('bank_c');
  return {
    ...base,
    look,
    book: desk.book,
    routes: [
      get('/', () => redirect('/easy/inquiry.do')),
      get('/easy/inquiry.do', (visit) => page('간편조회서비스', easyForm(visit))),
      post('/easy/inquiryList.do', (visit) => inquire(visit, desk)),
      post('/easy/inquiryNext.do', inquireFurther),
      get('/accounts/list.do', (visit) => accountList(visit, desk)),
      ...loginRoutes(desk, LOGIN),
    ],
  };
}
