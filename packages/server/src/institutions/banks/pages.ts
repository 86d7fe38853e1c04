import type { Call } from '../connector.ts';
import { brokenPage, type PortalPage } from '../portal/page.ts';

/** More than a year of a busy account. */
const MAX_PAGES = 2_000;

/**
 * Reads rows page by page until all that the first page promises are there.
 * `next` opens the page after; null when the portal offers none.
 */
export async function readAllPages<Row>(
  call: Pick<Call, 'progress'>,
  first: PortalPage,
  total: number,
  rowsOf: (page: PortalPage) => readonly Row[],
  next: (page: PortalPage, number: number) => Promise<PortalPage> | null,
): Promise<Row[]> {
  const rows = [...rowsOf(first)];
  const perPage = Math.max(1, rows.length);
  const pages = Math.ceil(total / perPage);
  let page = first;
  for (let number = 2; rows.length < total; number += 1) {
    call.progress(number, Math.max(pages, number), `거래내역을 읽고 있습니다 (${number}쪽)`);
    const opened = number > MAX_PAGES ? null : next(page, number);
    if (opened === null) throw brokenPage(page.status);
    page = await opened;
    const more = rowsOf(page);
    if (more.length === 0) throw brokenPage(page.status);
    rows.push(...more);
  }
  return rows;
}
