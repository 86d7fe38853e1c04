import { isDeepStrictEqual } from 'node:util';
import type { Call, FormFields } from '../connector.ts';
import { readForm } from '../portal/form.ts';
import { brokenPage, type PortalPage, required, tableRows, textOf } from '../portal/page.ts';
import { overlap } from '../portal/pager.ts';
import type { Portal } from '../portal/portal.ts';
import { printedCount } from '../portal/printed-values.ts';

const MAX_PAGES = 1_000;
const MAX_READINGS = 3;

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

export interface Grid {
  readonly selector: string;
  /** Their titles. */
  readonly columns: readonly string[];
}

/** The texts of its cells. */
export type GridRow = readonly string[];

/**
 * A grid's rows, all pages together. `open` requests one page. A list that changes between two pages would lose a row
 * or show one twice: it is read again from the beginning.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR when a page is missing, or the list does not come to rest
 */
export async function allGridRows(
  call: Pick<Call, 'progress'>,
  grid: Grid,
  open: (pageNumber: number) => Promise<PortalPage>,
): Promise<readonly GridRow[]> {
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const rows = await readOnce(call, grid, open);
    if (rows !== null) return rows;
  }
  throw brokenPage();
}

/** The rows, or null when they changed while they were read. */
async function readOnce(
  call: Pick<Call, 'progress'>,
  grid: Grid,
  open: (pageNumber: number) => Promise<PortalPage>,
): Promise<GridRow[] | null> {
  const first = await open(1);
  const total = gridTotal(first);
  const head = rowsOf(first, grid);
  const rows = [...head];
  const pages = Math.ceil(total / Math.max(1, rows.length));
  let number = 1;
  while (rows.length < total) {
    number += 1;
    if (number > MAX_PAGES) throw brokenPage(first.status);
    call.progress(number, Math.max(pages, number), `조회 결과를 읽고 있습니다 (${number}쪽)`);
    const page = await open(number);
    if (gridTotal(page) !== total) return null;
    const more = rowsOf(page, grid);
    if (more.length === 0) throw brokenPage(page.status);
    if (overlap(rows, more) > 0) return null;
    rows.push(...more);
  }
  if (rows.length > total) throw brokenPage(first.status);
  if (number === 1) return rows;
  const now = await open(1);
  const isSame = gridTotal(now) === total && isDeepStrictEqual(rowsOf(now, grid), head);
  return isSame ? rows : null;
}

/** As text, because a cell would keep the whole document of its page in memory. */
function rowsOf(page: PortalPage, { selector, columns }: Grid): GridRow[] {
  return tableRows(page, selector, columns).map((row) => row.map(textOf));
}

export function gridCell(row: GridRow, index: number): string {
  const text = row[index];
  if (text === undefined) throw brokenPage();
  return text;
}
