import type { Call, JsonObject } from '../connector.ts';
import { integerParam } from '../params.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { brokenPage, cell, type Selection, showsOtherPage, tableRows } from '../portal/page.ts';
import { printedCount, printedMoment, textOrNull } from '../portal/printed-values.ts';
import { taxPortalFace } from './face.ts';
import { gridTotal } from './grid.ts';

const COLUMNS = ['접수번호', '민원명', '민원코드', '신청일시', '처리상태', '발급번호', '수량'];

/** tax_portal.c1.certificates_list: one page, newest first; beyond the last one it is empty. */
export function certificatesList(call: Call): Promise<JsonObject> {
  const number = integerParam(call.params, 'current_page_no') ?? 1;
  return loggedIn(call, taxPortalFace, async (portal) => {
    call.progress(1, 1, '증명 신청 목록을 읽고 있습니다');
    const page = await portal.get('/certificates/list', { pageNo: String(number) });
    const isPast = showsOtherPage(page, '#content > .pageList', number);
    const rows = isPast ? [] : tableRows(page, '#content > #grdList', COLUMNS);
    const total = gridTotal(page);
    // Past the last page it is empty; the first page of a non-empty list never is.
    if (rows.length === 0 && number === 1 && total > 0) throw brokenPage(page.status);
    return {
      success: true,
      current_page_no: number,
      total_count: total,
      row_count: rows.length,
      items: rows.map(applicationOf),
    };
  });
}

function applicationOf(row: readonly Selection[], index: number): JsonObject {
  const appliedAt = textOrNull(cell(row, 3));
  return {
    row_index: index + 1,
    receipt_no: cell(row, 0),
    certificate_name: cell(row, 1),
    certificate_code: cell(row, 2),
    applied_at: appliedAt === null ? null : printedMoment(appliedAt),
    status: cell(row, 4),
    issue_no: textOrNull(cell(row, 5)),
    copies: printedCount(cell(row, 6)),
  };
}
