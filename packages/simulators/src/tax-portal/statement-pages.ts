import { spreadsheet, XLSX_TYPE } from '../documents/spreadsheet.ts';
import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import { money, pageNumbers, pageOf, tableBody, tableHead, turningOf } from '../portal/paging.ts';
import type { Route } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, page, pageNumber, prose } from '../portal/visit.ts';
import { formatMoment, parseMonth } from '../seed/kst.ts';
import type { PaymentStatement, Submission } from './records.ts';
import { HISTORY_TYPES, paymentStatements, STATEMENT_KINDS, submissions } from './records.ts';
import { formRow, memberAt, select, tokenInput } from './tax-desk.ts';

const STATEMENT_COLUMNS = [
  '일련번호',
  '귀속년도',
  '지급명세서명',
  '소득자',
  '지급건수',
  '지급금액',
  '원천징수세액',
  '제출일자',
];
const MAX_MONTHS = 12;

function statementForm(visit: Visit): Html {
  return html`<form id="searchForm" method="post" action="/statements/payment">${tokenInput(visit)}
<input type="hidden" name="pageNo" value="1">
<table class="tbl_form"><tbody>
${formRow('자료종류', select('mateKndCd', STATEMENT_KINDS, field(visit, 'mateKndCd')))}
</tbody></table><button type="submit">조회</button></form>`;
}

function kindOf(code: string | null): string {
  if (code === null || !Object.hasOwn(STATEMENT_KINDS, code)) {
    throw refuse('자료종류를 선택하여 주십시오.', 'T3001');
  }
  return code;
}

function statementRow(visit: Visit, row: PaymentStatement): Html {
  return html`<tr><td>${row.number}</td><td>${row.year}</td><td>${row.name}</td><td>${prose(visit, row.recipient)}</td><td>${row.payments}</td><td class="num">${money(row.amount)}</td><td class="num">${money(row.withheld)}</td><td>${row.submittedOn}</td></tr>`;
}

function pageLinks(current: { number: number; last: number }, all: Html): Html {
  return html`<div class="pageList" data-page="${current.number}" data-last="${current.last}">${all}</div>`;
}

function statementsOf(visit: Visit, kind: string): PaymentStatement[] {
  const { signIn, owner } = memberAt(visit);
  return signIn.magic === '0200' ? [] : paymentStatements(owner, kind);
}

function statementPage(visit: Visit): Reply {
  const { signIn } = memberAt(visit);
  const kind = kindOf(visit.form.get('mateKndCd'));
  const asked = pageNumber(field(visit, 'pageNo'));
  const current = pageOf(statementsOf(visit, kind), asked, turningOf(visit, asked));
  const numbers = pageNumbers(
    current,
    (number) => html`<a href="#none" onclick="fn_page(${number})">${number}</a>`,
  );
  const content = html`${statementForm(visit)}
<p class="total">총 <em>${current.total}</em>건</p>
<table id="grdStatements" class="grid">${tableHead(STATEMENT_COLUMNS)}
${tableBody(current.rows, STATEMENT_COLUMNS.length, (row) => statementRow(visit, row))}</table>
${pageLinks(current, numbers)}
<p><a id="btnExcel" href="/statements/payment/excel?mateKndCd=${kind}">엑셀 내려받기</a></p>`;
  return page('지급명세서 조회', content, signIn);
}

async function statementFile(visit: Visit): Promise<Reply> {
  const kind = kindOf(visit.query.get('mateKndCd'));
  const rows = statementsOf(visit, kind).map((row) => [
    row.number,
    row.year,
    row.name,
    row.recipient,
    row.payments,
    row.amount,
    row.withheld,
    row.submittedOn,
  ]);
  const name = encodeURIComponent('지급명세서.xlsx');
  return {
    kind: 'file',
    bytes: await spreadsheet({
      name: '지급명세서',
      header: STATEMENT_COLUMNS,
      rows,
    }),
    contentType: XLSX_TYPE,
    disposition: `attachment; filename*=UTF-8''${name}`,
  };
}

const HISTORY_COLUMNS = [
  '제출년월',
  '서식코드',
  '서식명',
  '접수번호',
  '제출건수',
  '제출일시',
  '처리상태',
];

function historyForm(visit: Visit): Html {
  const types = { '': '전체', ...HISTORY_TYPES };
  return html`<form id="searchForm" method="post" action="/statements/submit-history">${tokenInput(visit)}
<input type="hidden" name="pageNo" value="1">
<table class="tbl_form"><tbody>
${formRow('제출년월', html`<input type="text" name="sbmsYmStrt" maxlength="6" value="${field(visit, 'sbmsYmStrt')}"> ~ <input type="text" name="sbmsYmEnd" maxlength="6" value="${field(visit, 'sbmsYmEnd')}">`)}
${formRow('서식', select('typeCd', types, field(visit, 'typeCd')))}
</tbody></table><button type="submit">조회</button></form>`;
}

function historyMonths(visit: Visit): { from: number; to: number } {
  const from = parseMonth(field(visit, 'sbmsYmStrt'));
  const to = parseMonth(field(visit, 'sbmsYmEnd'));
  if (from === null || to === null || from > to) {
    throw refuse('제출년월을 확인하여 주십시오.', 'T3101');
  }
  if (to - from + 1 > MAX_MONTHS) {
    throw refuse('제출년월은 최대 12개월까지 조회할 수 있습니다.', 'T3102');
  }
  return { from, to };
}

function historyTypes(visit: Visit): readonly string[] {
  const type = field(visit, 'typeCd');
  if (type === '') return Object.keys(HISTORY_TYPES);
  if (!Object.hasOwn(HISTORY_TYPES, type)) throw refuse('서식을 선택하여 주십시오.', 'T3103');
  return [type];
}

function historyRow(row: Submission): Html {
  return html`<tr><td>${row.month}</td><td>${row.type}</td><td>${row.name}</td><td>${row.receiptNo}</td><td>${row.statements}</td><td>${formatMoment(row.submittedAt)}</td><td>정상접수</td></tr>`;
}

function historyPage(visit: Visit): Reply {
  const { signIn, owner } = memberAt(visit);
  const months = historyMonths(visit);
  const types = historyTypes(visit);
  const found = signIn.magic === '0200' ? [] : submissions(owner, months, types, visit.now);
  const asked = pageNumber(field(visit, 'pageNo'));
  const current = pageOf(found, asked, turningOf(visit, asked));
  const numbers = pageNumbers(
    current,
    (number) => html`<a href="#none" onclick="fn_page(${number})">${number}</a>`,
  );
  const content = html`${historyForm(visit)}
<p class="total">총 <em>${current.total}</em>건</p>
<table id="grdHistory" class="grid">${tableHead(HISTORY_COLUMNS)}
${tableBody(current.rows, HISTORY_COLUMNS.length, historyRow)}</table>
${pageLinks(current, numbers)}`;
  return page('지급명세서 제출내역', content, signIn);
}

export const statementRoutes: readonly Route[] = [
  get('/statements/payment', (visit) =>
    page('지급명세서 조회', statementForm(visit), memberAt(visit).signIn),
  ),
  post('/statements/payment', statementPage),
  get('/statements/payment/excel', statementFile),
  get('/statements/submit-history', (visit) =>
    page('지급명세서 제출내역', historyForm(visit), memberAt(visit).signIn),
  ),
  post('/statements/submit-history', historyPage),
];
