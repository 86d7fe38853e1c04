import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import { labelTable, money, pageNumbers, tableBody, tableHead } from '../portal/paging.ts';
import type { Look, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { endMidway, field, hidden, page, prose, redirect } from '../portal/visit.ts';
import { dayOf, formatDay, formatMoment } from '../seed/kst.ts';
import type { BankAccount } from './accounts.ts';
import { hyphenateAccount } from './accounts.ts';
import type { BankDesk, BankLogin, BankPortal } from './bank-portal.ts';
import { accountListPage, balanceOf, loginRoutes, openDesk } from './bank-portal.ts';
import { openInquiry } from './quick-inquiry.ts';

const TOKEN = '_token';

const look: Look = {
  name: '가나은행',
  tokenField: TOKEN,
  cookie: 'JSESSIONID',
  charset: () => 'utf-8',
  contentType: () => 'text/html; charset=UTF-8',
  message: (text, code) =>
    html`<div class="error_box"><p class="msg">${text}</p><p class="code">오류코드 : ${code}</p></div>`,
  logout: { form: 'logoutForm', action: '/logout' },
};

const LOGIN: BankLogin = {
  page: '/login',
  accounts: '/accounts',
  logout: '/logout',
  password: {
    action: '/login/id',
    tokenField: TOKEN,
    idField: 'userId',
    passwordField: 'userPwd',
  },
  certificate: {
    action: '/login/cert',
    tokenField: TOKEN,
    nonceField: 'challenge',
    certificateField: 'certDer',
    signatureField: 'signature',
  },
};

function quickForm(visit: Visit): Html {
  return html`<form id="quickForm" method="post" action="/quick/balance">
${hidden(TOKEN, visit.session.csrf)}
<table class="tbl_form"><tbody>
<tr><th scope="row"><label for="acctNo">계좌번호</label></th><td><input type="text" id="acctNo" name="acctNo" maxlength="16"> ('-' 없이 입력)</td></tr>
<tr><th scope="row"><label for="acctPwd">계좌비밀번호</label></th><td><input type="password" id="acctPwd" name="acctPwd" maxlength="4"></td></tr>
<tr><th scope="row"><label for="ownerNo">사업자번호/생년월일</label></th><td><input type="text" id="ownerNo" name="ownerNo" maxlength="10"></td></tr>
</tbody></table>
<button type="submit" class="btn_search">조회</button>
</form>`;
}

function lastTransactionDay(account: BankAccount, now: number): string {
  const last = account.ledger.rowsUntil(now).at(-1);
  return last ? formatDay(dayOf(last.at), '-') : '-';
}

function balanceTable(account: BankAccount, now: number): Html {
  const balance = money(balanceOf(account, now));
  return labelTable('tbl_detail', [
    ['예금주명', account.holder],
    ['계좌번호', hyphenateAccount(account.number)],
    ['예금종류', account.product],
    ['계좌잔액', `${balance}원`],
    ['출금가능금액', `${balance}원`],
    ['신규일자', formatDay(account.openedOn, '-')],
    ['최종거래일자', lastTransactionDay(account, now)],
    ['조회일시', formatMoment(now)],
  ]);
}

function quickBalance(visit: Visit, desk: BankDesk): Reply {
  const { account, signIn } = openInquiry(visit, desk.book, desk.attempts, {
    accountNo: field(visit, 'acctNo'),
    password: field(visit, 'acctPwd'),
    ownerNo: field(visit, 'ownerNo'),
  });
  if (signIn.magic === '0440' || signIn.magic === '0409') endMidway(visit, signIn);
  return page('빠른잔액조회 결과', balanceTable(account, visit.now), signIn);
}

const COLUMNS = ['계좌번호', '예금종류', '계좌별칭', '잔액', '신규일', '상태'];

function accountRow(visit: Visit, account: BankAccount): Html {
  return html`<tr><td>${hyphenateAccount(account.number)}</td><td>${account.product}</td><td class="left">${prose(visit, account.nickname)}</td><td class="right">${money(balanceOf(account, visit.now))}</td><td>${formatDay(account.openedOn, '-')}</td><td>정상</td></tr>`;
}

function accountList(visit: Visit, desk: BankDesk): Reply {
  const { current, signIn } = accountListPage(visit, desk, 'page');
  const content = html`<p class="total">전체 <em>${current.total}</em>건</p>
<table class="tbl_list">${tableHead(COLUMNS)}
${tableBody(current.rows, COLUMNS.length, (account) => accountRow(visit, account))}</table>
<div class="paging">${pageNumbers(current, (number) => html`<a href="/accounts?page=${number}">${number}</a>`)}</div>`;
  return page('전체계좌조회', content, signIn);
}

/** Bank A: quick balance of one account; UTF-8. */
export function createBankA(base: PortalBase): BankPortal {
  const desk = openDesk('bank_a');
  return {
    ...base,
    look,
    book: desk.book,
    routes: [
      get('/', () => redirect('/quick/balance')),
      get('/quick/balance', (visit) => page('빠른잔액조회', quickForm(visit))),
      post('/quick/balance', (visit) => quickBalance(visit, desk)),
      get('/accounts', (visit) => accountList(visit, desk)),
      ...loginRoutes(desk, LOGIN),
    ],
  };
}
