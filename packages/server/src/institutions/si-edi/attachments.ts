import type { JsonObject } from '../connector.ts';
import {
  brokenPage,
  cell,
  elements,
  handlerArguments,
  type PortalPage,
  type Selection,
  tableRows,
  textOf,
} from '../portal/page.ts';
import { textOrNull } from '../portal/printed-values.ts';

/** File types as printed by the portal. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  TXT: 'text/plain',
  PDF: 'application/pdf',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  HWP: 'application/x-hwp',
  HWPX: 'application/hwp+zip',
  ZIP: 'application/zip',
};

/** The files on a post's attachment page. */
export function tabledFiles(page: PortalPage): JsonObject[] {
  return tableRows(page, '#content > table.file_table', ['번호', '파일명', '크기', '형식']).map(
    (row, index) => ({
      ...fileOf(row[1]?.find('a[onclick]').first(), index),
      size_text: textOrNull(cell(row, 2)),
      content_type: MEDIA_TYPES[cell(row, 3).toUpperCase()] ?? null,
    }),
  );
}

/** The files below the post itself. */
export function listedFiles(page: PortalPage): JsonObject[] {
  return elements(page, '#content > ul.file_list > li').map((item, index) => ({
    ...fileOf(item.find('a[onclick]').first(), index),
    size_text: null,
    content_type: null,
  }));
}

function fileOf(link: Selection | undefined, index: number): JsonObject {
  const keys = link === undefined ? null : handlerArguments(link, 'fn_download');
  if (link === undefined || keys?.length !== 2) throw brokenPage();
  return {
    row_index: index + 1,
    row_key: keys.join(':'),
    atfl_id: keys[0],
    atch_file_sn: keys[1],
    file_name: textOf(link),
  };
}
