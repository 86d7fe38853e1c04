import type { Call, JsonObject } from '../connector.ts';
import { textParam, textsParam } from '../params.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { printedCount, printedMoment, textOrNull } from '../portal/printed-values.ts';
import { taxPortalFace } from './face.ts';
import { allGridRows, type GridRow, gridCell, searchFrom } from './grid.ts';

const GRID = {
  selector: '#content > #grdHistory',
  columns: ['제출년월', '서식코드', '서식명', '접수번호', '제출건수', '제출일시', '처리상태'],
};
/** The portal's own "all". */
const ALL_TYPES = '';

/** tax_portal.t1.payment_statement_submit_history: all pages; one search per requested kind. */
export function submitHistory(call: Call): Promise<JsonObject> {
  const from = textParam(call.params, 'sbms_ym_strt') ?? '';
  const to = textParam(call.params, 'sbms_ym_end') ?? '';
  const types = textsParam(call.params, 'type_codes') ?? [ALL_TYPES];
  return loggedIn(call, taxPortalFace, async (portal) => {
    const send = searchFrom(portal, await portal.get('/statements/submit-history'));
    const submissions: GridRow[] = [];
    for (const [index, typeCd] of types.entries()) {
      call.progress(index + 1, types.length, '제출내역을 조회하고 있습니다');
      const rows = await allGridRows(call, GRID, (pageNumber) =>
        send({
          sbmsYmStrt: from,
          sbmsYmEnd: to,
          typeCd,
          pageNo: String(pageNumber),
        }),
      );
      submissions.push(...rows);
    }
    return {
      success: true,
      sbms_ym_strt: from,
      sbms_ym_end: to,
      row_count: submissions.length,
      items: submissions.map(submissionOf),
    };
  });
}

function submissionOf(row: GridRow, index: number): JsonObject {
  const submittedAt = textOrNull(gridCell(row, 5));
  return {
    row_index: index + 1,
    submitted_month: gridCell(row, 0).replaceAll(/\D/g, ''),
    type_code: gridCell(row, 1),
    type_name: gridCell(row, 2),
    receipt_no: gridCell(row, 3),
    submitted_count: printedCount(gridCell(row, 4)),
    submitted_at: submittedAt === null ? null : printedMoment(submittedAt),
    status: gridCell(row, 6),
  };
}
