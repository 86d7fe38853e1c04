import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../connector.ts';
import { brokenPage, type PortalPage } from './page.ts';

/** More than a year of a busy account. */
const MAX_PAGES = 2_000;

/** A list that a portal splits into pages. */
export interface PagedList<Row> {
  readonly first: PortalPage;
  /** The number of rows according to the portal. */
  readonly total: number;
  /**
   * The same number on a later page, where pages repeat it: tells how many rows were added before them, and
   * notices rows that were removed.
   */
  totalOf?(page: PortalPage): number;
  /**
   * True when no row can come in at the list's end while it is read. More rows than promised then mean that the portal
   * counted wrongly; by default those that do not fit are left out. Needs `totalOf`.
   */
  readonly endIsFixed?: boolean;
  rowsOf(page: PortalPage): readonly Row[];
  /** Opens page `number`, which follows `page`; null when the portal offers none. */
  next(page: PortalPage, number: number): Promise<PortalPage> | null;
  /** The progress message, in polite Korean; default: "목록을 읽고 있습니다". */
  readonly step?: string;
  /** Called after each page; true when the rows read so far must suffice. Default: never. */
  enough?(rows: readonly Row[]): boolean;
}

/**
 * Reads a list page by page until it has all rows that the portal announced, or enough of them.
 * Rows that shifted to the next page because new ones were added before them count once.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR when the pages end too early, hold more rows than announced, or lose
 * rows while they are read
 */
export async function readPages<Row>(
  call: Pick<Call, 'progress'>,
  list: PagedList<Row>,
): Promise<Row[]> {
  const rows = [...list.rowsOf(list.first)];
  const pages = Math.ceil(list.total / Math.max(1, rows.length));
  const step = list.step ?? '목록을 읽고 있습니다';
  let page = list.first;
  let counted = list.total;
  for (let number = 2; rows.length < list.total; number += 1) {
    if (list.enough?.(rows) === true) break;
    call.progress(number, Math.max(pages, number), `${step} (${number}쪽)`);
    const opened = number > MAX_PAGES ? null : list.next(page, number);
    if (opened === null) throw brokenPage(page.status);
    page = await opened;
    const total = list.totalOf?.(page) ?? null;
    const grown = total === null ? null : total - counted;
    // The row that took the place of a removed one may be on a page that was read already.
    if (grown !== null && grown < 0) throw brokenPage(page.status);
    counted = total ?? counted;
    const [missing, added] = [list.total - rows.length, newRows(list, rows, page, grown)];
    if (list.endIsFixed && grown === 0 && added.length > missing) throw brokenPage(page.status);
    rows.push(...added.slice(0, missing));
  }
  if (rows.length > list.total) throw brokenPage(page.status);
  return rows;
}

/** `grown`: how many rows the portal counted more than a page before; null when its pages do not say. */
function newRows<Row>(
  { rowsOf }: PagedList<Row>,
  before: readonly Row[],
  page: PortalPage,
  grown: number | null,
): readonly Row[] {
  const read = rowsOf(page);
  const repeated = overlap(before, read);
  // Past the last page, portals show an empty page or the last one again.
  if (repeated === read.length && (grown ?? 0) < Math.max(1, repeated)) {
    throw brokenPage(page.status);
  }
  // Many portals print the number that they counted at first, so an unchanged one proves nothing.
  return read.slice(grown ? overlap(before, read, grown) : repeated);
}

/** How many rows at the start of a page, `most` at most, also ended the previous pages. */
export function overlap<Row>(
  before: readonly Row[],
  page: readonly Row[],
  most = page.length,
): number {
  const length = Math.min(before.length, page.length, most);
  const tail = before.slice(before.length - length);
  const head = page.slice(0, length);
  // For each beginning of the head, the longest shorter one that also ends it. Rows that repeat would otherwise be
  // compared for every length anew, which a hostile page makes endless.
  const shorter = [0];
  const grown = (count: number, row: Row): number => {
    let kept = count;
    while (kept > 0 && !isDeepStrictEqual(head[kept], row)) kept = shorter[kept - 1] ?? 0;
    return isDeepStrictEqual(head[kept], row) ? kept + 1 : kept;
  };
  for (const row of head.slice(1)) shorter.push(grown(shorter.at(-1) ?? 0, row));
  return tail.reduce((count, row) => grown(count, row), 0);
}
