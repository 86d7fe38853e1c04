import type { Html } from '../portal/html.ts';
import { html } from '../portal/html.ts';
import { money, tableBody, tableHead } from '../portal/paging.ts';
import type { Route } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, page } from '../portal/visit.ts';
import { dayOf, parseDay } from '../seed/kst.ts';
import type { CardMonth, InvoicePeriod, InvoiceSum } from './records.ts';
import { cardMonths, invoiceSums } from './records.ts';
import { formRow, memberAt, select, tokenInput } from './tax-desk.ts';

const SEARCH_TYPES = { '01': '매출', '02': '매입' };
const DATE_TYPES = { '01': '일별', '02': '월별', '03': '분기별' };
const PERIODS: ReadonlyMap<string, InvoicePeriod> = new Map([
  ['01', 'day'],
  ['02', 'month'],
  ['03', 'quarter'],
]);
const MAX_DAYS = 366;

function summaryForm(visit: Visit): Html {
  return html`<form id="searchForm" method="post" action="/einvoice/summary">${tokenInput(visit)}
<table class="tbl_form"><tbody>
${formRow('구분', select('searchType', SEARCH_TYPES, field(visit, 'searchType') || '01'))}
${formRow('조회기준', select('dateType', DATE_TYPES, field(visit, 'dateType') || '02'))}
${formRow('조회기간', html`<input type="text" name="startDate" maxlength="8" value="${field(visit, 'startDate')}"> ~ <input type="text" name="endDate" maxlength="8" value="${field(visit, 'endDate')}">`)}
</tbody></table><button type="submit">조회</button></form>`;
}

function summaryRange(visit: Visit): { fromDay: number; toDay: number } {
  const fromDay = parseDay(field(visit, 'startDate'));
  const toDay = parseDay(field(visit, 'endDate'));
  if (fromDay === null || toDay === null || fromDay > toDay) {
    throw refuse('조회기간을 확인하여 주십시오.', 'T2001');
  }
  if (toDay - fromDay + 1 > MAX_DAYS) {
    throw refuse('조회기간은 최대 1년까지 가능합니다.', 'T2002');
  }
  return { fromDay, toDay: Math.min(toDay, dayOf(visit.now)) };
}

const SUMMARY_COLUMNS = ['기간', '거래처수', '매수', '공급가액', '세액', '합계금액'];

function sumCells({ partners, invoices, supply, tax }: InvoiceSum): Html {
  return html`<td>${partners}</td><td>${invoices}</td><td class="num">${money(supply)}</td><td class="num">${money(tax)}</td><td class="num">${money(supply + tax)}</td>`;
}

function totalOf(sums: readonly InvoiceSum[]): InvoiceSum {
  const add = (key: keyof InvoiceSum): number => sums.reduce((total, sum) => total + sum[key], 0);
  return {
    partners: add('partners'),
    invoices: add('invoices'),
    supply: add('supply'),
    tax: add('tax'),
  };
}

function summaryPage(visit: Visit): Reply {
  const { signIn, owner } = memberAt(visit);
  const searchType = field(visit, 'searchType');
  const period = PERIODS.get(field(visit, 'dateType'));
  if (!Object.hasOwn(SEARCH_TYPES, searchType) || !period)
    throw refuse('조회구분을 확인하여 주십시오.', 'T2003');
  const range = summaryRange(visit);
  const found =
    signIn.magic === '0200' ? [] : invoiceSums(owner, searchType === '01', period, range);
  const total = totalOf(found.map(([, sum]) => sum));
  const content = html`${summaryForm(visit)}
<table id="grdSummary" class="grid">${tableHead(SUMMARY_COLUMNS)}
${tableBody(found, SUMMARY_COLUMNS.length, ([name, sum]) => html`<tr><td>${name}</td>${sumCells(sum)}</tr>`)}
<tfoot><tr><th>합계</th>${sumCells(total)}</tr></tfoot></table>`;
  return page('전자세금계산서 합계표', content, signIn);
}

function cardForm(visit: Visit): Html {
  const quarters = { '1': '1분기', '2': '2분기', '3': '3분기', '4': '4분기' };
  return html`<form id="searchForm" method="post" action="/sales/credit-card">${tokenInput(visit)}
<table class="tbl_form"><tbody>
${formRow('사업자등록번호', html`<input type="text" name="bsno" maxlength="10" value="${field(visit, 'bsno')}">`)}
${formRow('결제년도', html`<input type="text" name="stlYr" maxlength="4" value="${field(visit, 'stlYr')}">`)}
${formRow('분기', html`${select('qrtFrom', quarters, field(visit, 'qrtFrom') || '1')} ~ ${select('qrtTo', quarters, field(visit, 'qrtTo') || '4')}`)}
</tbody></table><button type="submit">조회</button></form>`;
}

function cardRow({ quarter, month, ways }: CardMonth): Html {
  const cells = ways.map(
    ({ count, amount }) => html`<td>${count}</td><td class="num">${money(amount)}</td>`,
  );
  return html`<tr><td>${quarter}분기</td><td>${month}</td>${cells}</tr>`;
}

function cardQuarters(visit: Visit): { from: number; to: number } {
  const from = field(visit, 'qrtFrom');
  const to = field(visit, 'qrtTo');
  if (!/^[1-4]$/.test(from) || !/^[1-4]$/.test(to) || from > to) {
    throw refuse('조회분기를 확인하여 주십시오.', 'T2102');
  }
  return { from: Number(from), to: Number(to) };
}

function cardPage(visit: Visit): Reply {
  const { signIn, member, owner } = memberAt(visit);
  if (field(visit, 'bsno') !== member.businessNumber) {
    throw refuse('본인의 사업자등록번호만 조회할 수 있습니다.', 'T2101');
  }
  const year = field(visit, 'stlYr');
  if (!/^20\d{2}$/.test(year)) throw refuse('결제년도를 확인하여 주십시오.', 'T2103');
  const quarters = cardQuarters(visit);
  const found = signIn.magic === '0200' ? [] : cardMonths(owner, Number(year), quarters, visit.now);
  const content = html`${cardForm(visit)}
<table id="grdSales" class="grid"><thead>
<tr><th rowspan="2">분기</th><th rowspan="2">승인월</th><th colspan="2">신용카드</th><th colspan="2">제로페이/온누리</th><th colspan="2">판매(결제)대행</th></tr>
<tr><th>건수</th><th>금액</th><th>건수</th><th>금액</th><th>건수</th><th>금액</th></tr>
</thead>
${tableBody(found, 8, cardRow)}</table>`;
  return page('신용카드·판매(결제)대행 매출자료', content, signIn);
}

function emptyForm(title: string, form: (visit: Visit) => Html): Route['handle'] {
  return (visit) => {
    const { signIn } = memberAt(visit);
    return page(title, form(visit), signIn);
  };
}

export const salesRoutes: readonly Route[] = [
  get('/einvoice/summary', emptyForm('전자세금계산서 합계표', summaryForm)),
  post('/einvoice/summary', summaryPage),
  get('/sales/credit-card', emptyForm('신용카드·판매(결제)대행 매출자료', cardForm)),
  post('/sales/credit-card', cardPage),
];
