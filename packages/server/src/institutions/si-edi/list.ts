import type { Connector, JsonObject } from '../connector.ts';
import { readForm } from '../portal/form.ts';
import { loggedIn } from '../portal/logged-in.ts';
import {
  brokenPage,
  cell,
  handlerArguments,
  required,
  type Selection,
  showsOtherPage,
  tableRows,
  textOf,
} from '../portal/page.ts';
import { printedCount, printedDayOrNull, textOrNull } from '../portal/printed-values.ts';
import { type Board, FAQ, FORMS, NOTICES } from './boards.ts';
import { siEdiFace } from './face.ts';
import { searchFields } from './search-fields.ts';

const COLUMNS = ['번호', '분류', '제목', '첨부', '등록일', '조회수'];

/** A row of a list: how to open it, and what it shows. */
interface PrintedRow {
  readonly keys: readonly string[];
  readonly category: string | null;
  readonly title: string;
  readonly registeredOn: string | null;
}

/** `<board>.list`: one page of ten rows; beyond the last one it is empty. */
function list(board: Board, itemOf: (row: PrintedRow) => JsonObject): Connector {
  return (call) =>
    loggedIn(call, siEdiFace, async (portal) => {
      const query = searchFields(board, call.params);
      call.progress(1, 2, '검색 화면을 열고 있습니다');
      const form = readForm(await portal.get(board.initPath), '#searchForm');
      call.progress(2, 2, '목록을 읽고 있습니다');
      const page = await portal.submit(form, query);
      const isPast = showsOtherPage(page, '#content > .pagination', Number(query.currentPageNo));
      const cells = isPast ? [] : tableRows(page, '#content > table.board_list', COLUMNS);
      const total = printedCount(textOf(required(page, '#content > .total').find('strong')));
      // Past the last page it is empty; the first page of a non-empty list never is.
      if (cells.length === 0 && Number(query.currentPageNo) === 1 && total > 0) {
        throw brokenPage(page.status);
      }
      const rows = cells.map(printedRow);
      return {
        success: true,
        row_count: rows.length,
        items: rows.map((row, index) => ({
          row_index: index + 1,
          row_key: row.keys.join(':'),
          ...itemOf(row),
        })),
        query,
        source_url: page.url,
      };
    });
}

function printedRow(cells: readonly Selection[]): PrintedRow {
  const link = cells[2]?.find('a[onclick]').first();
  const keys = link === undefined ? null : handlerArguments(link, 'fn_detail');
  if (keys === null || keys.length === 0) throw brokenPage();
  return {
    keys,
    category: textOrNull(cell(cells, 1)),
    title: cell(cells, 2),
    registeredOn: printedDayOrNull(cell(cells, 4)),
  };
}

export const faqList = list(FAQ, ({ keys, title }) => ({ qstn_sn: keys[0], title }));

export const formList = list(FORMS, ({ keys, title, category, registeredOn }) => {
  if (keys.length !== 2) throw brokenPage();
  return { bbs_id: keys[0], pst_sn: keys[1], title, category, registered_on: registeredOn };
});

export const noticeList = list(NOTICES, ({ keys, title, category, registeredOn }) => ({
  pst_sn: keys[0],
  title,
  institution: category,
  registered_on: registeredOn,
}));
