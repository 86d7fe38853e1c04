import type { Call } from '../connector.ts';
import {
  brokenPage,
  type PortalPage,
  required,
  type Selection,
  tableRows,
  textOf,
} from '../portal/page.ts';
import { printedCount } from '../portal/printed-values.ts';

const MAX_PAGES = 1_000;

/** `총 N건` above a grid. */
export function gridTotal(page: PortalPage): number {
  return printedCount(textOf(required(page, '#content > .total').find('em')));
}

/** Rows of a grid, all pages together. `open` sends the search for one page. */
export async function allGridRows(
  call: Pick<Call, 'progress'>,
  grid: { readonly selector: string; readonly columns: number },
  open: (pageNumber: number) => Promise<PortalPage>,
): Promise<readonly (readonly Selection[])[]> {
  let page = await open(1);
  const total = gridTotal(page);
  const rows = tableRows(page, grid.selector, grid.columns);
  if (rows.length > total) throw brokenPage(page.status);
  const pages = Math.ceil(total / Math.max(1, rows.length));
  for (let number = 2; rows.length < total; number += 1) {
    if (number > MAX_PAGES) throw brokenPage(page.status);
    call.progress(number, Math.max(pages, number), `조회 결과를 읽고 있습니다 (${number}쪽)`);
    page = await open(number);
    const more = tableRows(page, grid.selector, grid.columns);
    if (more.length === 0) throw brokenPage(page.status);
    rows.push(...more);
  }
  return rows;
}
