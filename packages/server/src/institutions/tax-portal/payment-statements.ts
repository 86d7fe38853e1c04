import type { Call, JsonObject } from '../connector.ts';
import { textParam } from '../params.ts';
import { wholeFile } from '../portal/bodies.ts';
import { loggedIn } from '../portal/logged-in.ts';
import {
  printedCount,
  printedDayOrNull,
  printedWon,
  textOrNull,
} from '../portal/printed-values.ts';
import { taxPortalFace } from './face.ts';
import { allGridRows, type GridRow, gridCell, searchFrom } from './grid.ts';

const GRID = {
  selector: '#content > #grdStatements',
  columns: [
    '일련번호',
    '귀속년도',
    '지급명세서명',
    '소득자',
    '지급건수',
    '지급금액',
    '원천징수세액',
    '제출일자',
  ],
};

/** tax_portal.t1.payment_statement: all pages, and the portal's own spreadsheet. */
export function paymentStatements(call: Call): Promise<JsonObject> {
  const kind = textParam(call.params, 'mate_knd_cd') ?? '';
  return loggedIn(call, taxPortalFace, async (portal) => {
    const send = searchFrom(portal, await portal.get('/statements/payment'));
    call.progress(1, 2, '지급명세서를 조회하고 있습니다');
    const rows = await allGridRows(call, GRID, (pageNumber) =>
      send({ mateKndCd: kind, pageNo: String(pageNumber) }),
    );
    call.progress(2, 2, '엑셀 파일을 내려받고 있습니다');
    const file = await portal.download('/statements/payment/excel', { mateKndCd: kind });
    await call.artifacts.add({
      bytes: wholeFile(file, 'xlsx'),
      contentType: file.contentType ?? 'application/octet-stream',
      extension: 'xlsx',
      qualifier: kind,
    });
    return {
      success: true,
      mate_knd_cd: kind,
      row_count: rows.length,
      items: rows.map(statementOf),
    };
  });
}

function statementOf(row: GridRow, index: number): JsonObject {
  return {
    row_index: index + 1,
    attributed_year: gridCell(row, 1),
    statement_name: gridCell(row, 2),
    recipient: textOrNull(gridCell(row, 3)),
    payment_count: printedCount(gridCell(row, 4)),
    payment_amount: printedWon(gridCell(row, 5)),
    withheld_tax: printedWon(gridCell(row, 6)),
    submitted_on: printedDayOrNull(gridCell(row, 7)),
  };
}
