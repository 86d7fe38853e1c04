import type { Html } from './html.ts';
import { html } from './html.ts';
import type { Visit } from './visit.ts';

/** Every list of every portal shows ten rows a page. */
export const PAGE_SIZE = 10;

export interface PageOf<T> {
  rows: readonly T[];
  number: number;
  last: number;
  total: number;
}

/** How a portal turns its pages, when it does not do so as it should. */
export interface Turning {
  /** A page beyond the last is the last one. */
  clamps: boolean;
  /** Rows that came in before the others since the first page. */
  moved: number;
}

/** How the portal turns to a page, as its features are set. */
export function turningOf({ condition }: Pick<Visit, 'condition'>, number: number): Turning {
  return {
    clamps: condition.has('clamped_pages'),
    moved: condition.has('shifting_rows') ? number - 1 : 0,
  };
}

const ORDINARY: Turning = { clamps: false, moved: 0 };

/** One page of a list; beyond the last page it is empty. */
export function pageOf<T>(
  all: readonly T[],
  asked: number,
  { clamps, moved }: Turning = ORDINARY,
): PageOf<T> {
  const last = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const number = clamps ? Math.min(asked, last) : asked;
  const start = Math.max(0, (number - 1) * PAGE_SIZE - moved);
  return {
    rows: all.slice(start, start + PAGE_SIZE),
    number,
    last: moved === 0 ? last : Math.max(1, Math.ceil((all.length + moved) / PAGE_SIZE)),
    total: all.length,
  };
}

/** Numbers of the pages, the current one in bold; `link` prints one number. */
export function pageNumbers(current: PageOf<unknown>, link: (number: number) => Html): Html {
  const numbers = Array.from({ length: current.last }, (_, index) => index + 1);
  return html`${numbers.map((number) =>
    number === current.number
      ? html`<strong class="on">${number}</strong>\n`
      : html`${link(number)}\n`,
  )}`;
}

export function emptyRow(columns: number): Html {
  return html`<tr><td colspan="${columns}" class="nodata">조회된 내역이 없습니다.</td></tr>`;
}

export function tableHead(titles: readonly string[]): Html {
  return html`<thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>`;
}

/** A table body with one row per item, or the "nothing found" row. */
export function tableBody<T>(
  items: readonly T[],
  columns: number,
  row: (item: T, index: number) => Html,
): Html {
  return html`<tbody>
${items.length === 0 ? emptyRow(columns) : items.map((item, index) => html`${row(item, index)}\n`)}</tbody>`;
}

/** Label and value pairs, one pair a row. */
export function labelTable(
  className: string,
  pairs: readonly (readonly [string, HtmlCell])[],
): Html {
  return html`<table class="${className}"><tbody>
${pairs.map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>\n`)}</tbody></table>`;
}

type HtmlCell = string | number | Html;

export function money(won: number): string {
  return won.toLocaleString('en-US');
}
