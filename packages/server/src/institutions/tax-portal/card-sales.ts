import type { Call, JsonObject } from '../connector.ts';
import { digitsParam, integerParam, textParam } from '../params.ts';
import { readForm } from '../portal/form.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { brokenPage, cell, requireTitles, type Selection, tableRows } from '../portal/page.ts';
import { printedCount, printedWon } from '../portal/printed-values.ts';
import { taxPortalFace } from './face.ts';

const GRID = '#content > #grdSales';
/** Kinds of payment, with what is below each of the three. */
const TITLES = ['분기', '승인월', '신용카드', '제로페이/온누리', '판매(결제)대행'].concat(
  Array.from({ length: 3 }, () => ['건수', '금액']).flat(),
);
const WIDTH = 8;

/** tax_portal.t1.credit_card_sales_data */
export function cardSales(call: Call): Promise<JsonObject> {
  const { params } = call;
  const bsno = digitsParam(params, 'bsno') ?? '';
  const year = textParam(params, 'stl_yr') ?? '';
  const from = integerParam(params, 'qrt_from') ?? 1;
  const to = integerParam(params, 'qrt_to') ?? 4;
  return loggedIn(call, taxPortalFace, async (portal) => {
    const form = readForm(await portal.get('/sales/credit-card'), '#searchForm');
    call.progress(1, 1, '매출자료를 조회하고 있습니다');
    const page = await portal.submit(form, {
      bsno,
      stlYr: year,
      qrtFrom: String(from),
      qrtTo: String(to),
    });
    requireTitles(page, GRID, TITLES);
    const rows = tableRows(page, GRID, WIDTH);
    return {
      success: true,
      bsno,
      stl_yr: year,
      qrt_from: from,
      qrt_to: to,
      row_count: rows.length,
      items: rows.map(monthOf),
    };
  });
}

function monthOf(row: readonly Selection[], index: number): JsonObject {
  const quarter = /^([1-4])분기$/.exec(cell(row, 0))?.[1];
  const month = /^(20\d{2})[-.]?(\d{2})$/.exec(cell(row, 1));
  if (quarter === undefined || month === null) throw brokenPage();
  return {
    row_index: index + 1,
    quarter: Number(quarter),
    approved_month: `${month[1]}${month[2]}`,
    credit_card_count: printedCount(cell(row, 2)),
    credit_card_amount: printedWon(cell(row, 3)),
    zero_pay_count: printedCount(cell(row, 4)),
    zero_pay_amount: printedWon(cell(row, 5)),
    agency_count: printedCount(cell(row, 6)),
    agency_amount: printedWon(cell(row, 7)),
  };
}
