import type { Call, FormFields } from '../connector.ts';
import { readForm } from '../portal/form.ts';
import {
  brokenPage,
  type PortalPage,
  required,
  type Selection,
  tableRows,
  textOf,
} from '../portal/page.ts';
import type { Portal } from '../portal/portal.ts';
import { printedCount } from '../portal/printed-values.ts';

const MAX_PAGES = 1_000;

export type Search = (fields: FormFields) => Promise<PortalPage>;

/** Submits a page's search form, and afterwards that of the latest answer, whose token is new. */
export function searchFrom(portal: Portal, first: PortalPage): Search {
  let page = first;
  return async (fields) => {
    page = await portal.submit(readForm(page, '#searchForm'), fields);
    return page;
  };
}

/** `총 N건` above a grid. */
export function gridTotal(page: PortalPage): number {
  return printedCount(textOf(required(page, '#content > .total').find('em')));
}

/** A grid's rows, all pages together. `open` requests one page. */
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
