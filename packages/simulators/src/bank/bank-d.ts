import { ownerNumberOf } from '../demo/members.ts';
import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import { money, pageNumbers } from '../portal/paging.ts';
import type { Look, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, pageNumber, prose, redirect } from '../portal/visit.ts';
import { formatDay, formatMoment, parseDay } from '../seed/kst.ts';
import type { BankAccount } from './accounts.ts';
import { hyphenateAccount } from './accounts.ts';
import type { BankDesk, BankLogin, BankPortal } from './bank-portal.ts';
import { accountListPage, balanceOf, loginRoutes, openDesk } from './bank-portal.ts';
import { consentedScopes, consentRoutes } from './consent.ts';
import type { ConsentScope } from './consent-tokens.ts';
import type { Direction, LedgerRow } from './ledger.ts';
import type { HistoryInquiry } from './quick-inquiry.ts';
import { currentInquiry, historyPage, openHistory, openInquiry } from './quick-inquiry.ts';

const TOKEN = '_csrf';
const MAX_DAYS = 366;

const look: Look = {
  name: '라온뱅크',
  tokenField: TOKEN,
  cookie: 'raon_sid',
  charset: () => 'utf-8',
  contentType: () => 'text/html; charset=utf-8',
  message: (text, code) => html`<p role="alert" data-code="${code}">${text}</p>`,
  logout: { form: 'logoutForm', action: '/logout' },
};

const LOGIN: BankLogin = {
  page: '/login',
  accounts: '/accounts',
  logout: '/logout',
  password: {
    action: '/login/id',
    tokenField: TOKEN,
    idField: 'id',
    passwordField: 'password',
  },
  certificate: {
    action: '/login/cert',
    tokenField: TOKEN,
    nonceField: 'challenge',
    certificateField: 'cert',
    signatureField: 'sign',
  },
};
const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['ALL', 'all'],
  ['DEPOSIT', 'in'],
  ['WITHDRAW', 'out'],
]);

function inquiryForm(visit: Visit): Html {
  return html`<form id="inquiryForm" method="post" action="/inquiry">
${hidden(TOKEN, visit.session.csrf)}
<div class="field"><label for="account">계좌번호</label><input id="account" name="account" inputmode="numeric"></div>
<div class="field"><label for="pin">계좌 비밀번호</label><input id="pin" name="pin" type="password" inputmode="numeric"></div>
<div class="field"><label for="owner">사업자번호 또는 생년월일</label><input id="owner" name="owner" inputmode="numeric"></div>
<div class="field"><label for="start">시작일</label><input id="start" name="start"><label for="end">종료일</label><input id="end" name="end"></div>
<select name="type"><option value="ALL">전체</option><option value="DEPOSIT">입금</option><option value="WITHDRAW">출금</option></select>
<select name="sort"><option value="DESC">최신순</option><option value="ASC">과거순</option></select>
<button type="submit">조회하기</button>
</form>`;
}

function definitions(className: string, pairs: readonly (readonly [string, string])[]): Html {
  return html`<dl class="${className}">${pairs.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>\n`)}</dl>`;
}

function transaction(visit: Visit, row: LedgerRow): Html {
  const incoming = row.deposit > 0;
  const amount = incoming ? `+${money(row.deposit)}` : `-${money(row.withdrawal)}`;
  return html`<li class="${incoming ? 'in' : 'out'}"><span class="when">${formatMoment(row.at, '.')}</span><span class="title">${prose(visit, row.description)}</span><span class="amount">${amount}</span><span class="after">${money(row.balanceAfter)}</span><span class="who">${prose(visit, row.counterparty)}</span><span class="branch">${row.branch}</span><span class="memo">${prose(visit, row.memo)}</span></li>
`;
}

function heads(inquiry: HistoryInquiry, now: number): Html {
  const { account, statement, rows } = inquiry;
  return html`${definitions('account_head', [
    ['예금주', account.holder],
    ['계좌번호', hyphenateAccount(account.number)],
    ['상품명', account.product],
    ['현재 잔액', `${money(balanceOf(account, now))}원`],
  ])}
${definitions('totals', [
  ['시작 잔액', `${money(statement.openingBalance)}원`],
  ['입금 합계', `${money(statement.depositTotal)}원`],
  ['출금 합계', `${money(statement.withdrawalTotal)}원`],
  ['종료 잔액', `${money(statement.closingBalance)}원`],
  ['거래 건수', `${rows.length}건`],
])}`;
}

function result(visit: Visit): Reply {
  const inquiry = currentInquiry(visit);
  const current = historyPage(visit, inquiry, pageNumber(visit.query.get('p')));
  const list =
    current.rows.length === 0
      ? html`<p class="empty">조회된 내역이 없습니다.</p>`
      : html`<ul class="tx_list">${current.rows.map((row) => transaction(visit, row))}</ul>`;
  const links = pageNumbers(
    current,
    (number) => html`<a href="/inquiry/result?p=${number}">${number}</a>`,
  );
  const content = html`${heads(inquiry, visit.now)}
${list}
<nav class="pages">${links}</nav>`;
  return page('거래내역', content, inquiry.signIn);
}

function requireScope(visit: Visit, scope: ConsentScope): void {
  const scopes = consentedScopes(visit.session);
  if (scopes !== null && !scopes.includes(scope)) {
    throw refuse('동의하지 않은 정보입니다. 동의 내용을 확인하여 주십시오.', 'O1004');
  }
}

/** After a consent the bank knows the owner: an empty owner field means the person who consented. */
function ownerOf(visit: Visit): string {
  const typed = field(visit, 'owner');
  if (typed !== '' || consentedScopes(visit.session) === null) return typed;
  const { member } = visit.sessions.signedIn(visit.session, 'login');
  return member ? ownerNumberOf(member) : '';
}

function inquire(visit: Visit, desk: BankDesk): Reply {
  requireScope(visit, 'transactions');
  const opened = openInquiry(visit, desk.book, desk.attempts, {
    accountNo: field(visit, 'account'),
    password: field(visit, 'pin'),
    ownerNo: ownerOf(visit),
  });
  const range = {
    fromDay: parseDay(field(visit, 'start')),
    toDay: parseDay(field(visit, 'end')),
    direction: DIRECTIONS.get(field(visit, 'type')) ?? null,
    newestFirst: field(visit, 'sort') !== 'ASC',
  };
  openHistory(visit, opened, range, MAX_DAYS);
  return redirect('/inquiry/result?p=1');
}

function accountItem(visit: Visit, account: BankAccount): Html {
  return html`<li><span class="no">${hyphenateAccount(account.number)}</span><span class="product">${account.product}</span><span class="nick">${prose(visit, account.nickname)}</span><span class="balance">${money(balanceOf(account, visit.now))}원</span><span class="opened">${formatDay(account.openedOn, '.')}</span><span class="state">정상</span></li>
`;
}

function accountList(visit: Visit, desk: BankDesk): Reply {
  requireScope(visit, 'accounts');
  const { current, signIn } = accountListPage(visit, desk, 'p');
  const list =
    current.rows.length === 0
      ? html`<p class="empty">조회된 내역이 없습니다.</p>`
      : html`<ul class="account_list">${current.rows.map((account) => accountItem(visit, account))}</ul>`;
  const content = html`<p class="count">내 계좌 <b>${current.total}</b>개</p>
${list}
<nav class="pages">${pageNumbers(current, (number) => html`<a href="/accounts?p=${number}">${number}</a>`)}</nav>`;
  return page('내 계좌', content, signIn);
}

/** Bank D: lists instead of tables, post-redirect-get, and a consent flow; UTF-8. */
export function createBankD(base: PortalBase): BankPortal {
  const desk = openDesk('bank_d');
  return {
    ...base,
    look,
    book: desk.book,
    routes: [
      get('/', () => redirect('/inquiry')),
      get('/inquiry', (visit) => page('빠른 거래내역 조회', inquiryForm(visit))),
      post('/inquiry', (visit) => inquire(visit, desk)),
      get('/inquiry/result', result),
      get('/accounts', (visit) => accountList(visit, desk)),
      ...loginRoutes(desk, LOGIN),
      ...consentRoutes(desk.attempts),
    ],
  };
}
