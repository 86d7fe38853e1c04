import { invoicePeriod } from '@changgu/contract';
import { kstDay } from '../../rules/kst.ts';
import type { Call, JsonObject } from '../connector.ts';
import { textsParam } from '../params.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { cell, tableRows } from '../portal/page.ts';
import { printedCount, printedWon } from '../portal/printed-values.ts';
import { taxPortalFace } from './face.ts';
import { type Search, searchFrom } from './grid.ts';

type InvoiceRow = Readonly<Record<string, string | number>>;

const COLUMNS = ['기간', '거래처수', '매수', '공급가액', '세액', '합계금액'];

/** tax_portal.e1.invoice_summary: one search per kind and unit, in the requested order. */
export function invoiceSummary(call: Call): Promise<JsonObject> {
  return loggedIn(call, taxPortalFace, async (portal) => {
    const { from, to } = invoicePeriod(call.params, kstDay(call.submittedAt).replaceAll('-', ''));
    const searches = searchesOf(call);
    const send = searchFrom(portal, await portal.get('/einvoice/summary'));
    const rows: InvoiceRow[] = [];
    for (const [index, search] of searches.entries()) {
      call.progress(index + 1, searches.length, '전자세금계산서 합계를 조회하고 있습니다');
      rows.push(...(await sumsOf(send, { ...search, startDate: from, endDate: to })));
    }
    return {
      success: true,
      start_date: from,
      end_date: to,
      row_count: rows.length,
      items: rows.map((row, index) => ({ row_index: index + 1, ...row })),
    };
  });
}

function searchesOf({ params }: Call): { searchType: string; dateType: string }[] {
  const searchTypes = textsParam(params, 'search_types') ?? ['01', '02'];
  const dateTypes = textsParam(params, 'date_types') ?? ['02'];
  return searchTypes.flatMap((searchType) =>
    dateTypes.map((dateType) => ({ searchType, dateType })),
  );
}

async function sumsOf(
  send: Search,
  fields: { searchType: string; dateType: string; startDate: string; endDate: string },
): Promise<InvoiceRow[]> {
  const page = await send(fields);
  return tableRows(page, '#content > #grdSummary', COLUMNS).map((row) => ({
    search_type: fields.searchType,
    date_type: fields.dateType,
    period: cell(row, 0),
    partner_count: printedCount(cell(row, 1)),
    invoice_count: printedCount(cell(row, 2)),
    supply_amount: printedWon(cell(row, 3)),
    tax_amount: printedWon(cell(row, 4)),
    total_amount: printedWon(cell(row, 5)),
  }));
}
