import { isDeepStrictEqual } from 'node:util';
import { type Cheerio, type CheerioAPI, load } from 'cheerio/slim';
import { type AnyNode, type Document, DomHandler, type Element, isTag } from 'domhandler';
import { Parser } from 'htmlparser2';
import type { PortalResponse } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { meaningOf } from '../meaning/korean-sentences.ts';
import { charsetOf, encodeQuery, type FormCharset } from './charset.ts';

/** Larger pages are not meant for people, and parsing them would block everything else. */
export const MAX_BYTES = 2 * 1024 * 1024;
const DEEPEST = 256;
const MAX_ELEMENTS = 50_000;
/** The library compares those that one element holds with each other in each search. */
const MAX_SIBLINGS = 10_000;

export type Selection = Cheerio<Element>;

/** A portal's HTML page. Scripts never run, and their text is not part of the page's text. */
export interface PortalPage {
  readonly status: number;
  readonly url: string;
  /** What its relative addresses are relative to. */
  readonly base: string;
  readonly html: string;
  readonly charset: FormCharset;
  /** Belongs to the institution. */
  readonly origins: readonly string[];
  readonly $: CheerioAPI;
}

/** @throws InstitutionError PROVIDER_UPSTREAM_ERROR for anything but a complete HTML page */
export function parsePage(response: PortalResponse): PortalPage {
  const { status, url, bytes, contentType } = response;
  if (bytes.length > MAX_BYTES) throw brokenPage(status, false);
  const html = response.text();
  if (!isWhole(html)) throw brokenPage(status);
  const $ = load(parseDocument(html, status));
  const origins = response.origins ?? [new URL(url).origin];
  const charset = charsetOf(bytes, contentType);
  return { status, url, base: baseOf($, url), html, charset, origins, $ };
}

function baseOf($: CheerioAPI, url: string): string {
  const href = $('base[href]').attr('href') ?? '';
  return URL.canParse(href, url) ? new URL(href, url).href : url;
}

/** Many pages have comments and scripts of monitors and load balancers after their end. */
const TRAILER = /^(?:\s|<!--(?:(?!-->)[\s\S])*-->|<script\b(?:(?!<\/script>)[\s\S])*<\/script>)*$/i;
const MAX_TRAILER = 4_000;

/** A page that ends, or a complete fragment; not one that was cut off. */
function isWhole(html: string): boolean {
  const begins = /<html[\s>]/i.test(html.slice(0, MAX_TRAILER));
  if (!begins) return />\s*$/.test(html.slice(-MAX_TRAILER));
  // Not sought in lower case: an İ is longer there.
  const [, ...rests] = html.slice(-MAX_TRAILER).split(/<\/html>/i);
  const rest = rests.at(-1);
  return rest !== undefined && TRAILER.test(rest);
}

/** Missing or broken where the page should have it: the institution's fault, and possibly a temporary one. */
export function brokenPage(upstreamStatus?: number, transient = true): InstitutionError {
  return new InstitutionError('PROVIDER_UPSTREAM_ERROR', {
    transient,
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
  });
}

/** The parser searches its stack for every tag and text functions recurse, which hostile pages exploit. */
export class BoundedHandler extends DomHandler {
  readonly #status: number;
  #elements = 0;
  /** How many elements each open one holds, by its depth. */
  readonly #held: number[] = [];

  constructor(status: number) {
    super(undefined, { withStartIndices: true, withEndIndices: true });
    this.#status = status;
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes);
    const depth = this.tagStack.length;
    this.#elements += 1;
    this.#held[depth] = 0;
    const siblings = (this.#held[depth - 1] ?? 0) + 1;
    this.#held[depth - 1] = siblings;
    if (depth > DEEPEST || this.#elements > MAX_ELEMENTS || siblings > MAX_SIBLINGS) {
      throw brokenPage(this.#status, false);
    }
  }
}

function parseDocument(html: string, status: number): Document {
  const handler = new BoundedHandler(status);
  new Parser(handler).end(html);
  return handler.root;
}

/** Text as a person sees it: without scripts and styles, white space collapsed. */
export function textOf(selection: Cheerio<AnyNode>): string {
  return selection
    .toArray()
    .map((node) => textIn(node))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

const UNSEEN = ['script', 'style', 'noscript', 'template'];

/** Safe recursion, because the depth of pages is limited. */
function textIn(node: AnyNode): string {
  if (node.type === 'text') return node.data;
  if (!('children' in node)) return '';
  if ('name' in node && node.name === 'br') return ' ';
  let text = '';
  for (const child of node.children) {
    if (!('name' in child && UNSEEN.includes(child.name))) text += textIn(child);
  }
  return text;
}

/** The markup inside an element, as the portal sent it. */
export function sourceOf(page: PortalPage, element: Selection): string {
  const [first, last] = [element.contents().first()[0], element.contents().last()[0]];
  if (first?.startIndex == null || last?.endIndex == null) return '';
  const source = page.html.slice(first.startIndex, last.endIndex + 1);
  // The parser counts the tag that ends the element as part of a last child that was left open.
  return last.endIndex === element[0]?.endIndex ? source.replace(/<\/?[^<>]*>?$/, '') : source;
}

/**
 * True where the page numbers show another page than the one that was asked for: past the last one, some
 * portals show the last one again.
 */
export function showsOtherPage(page: PortalPage, numbers: string, asked: number): boolean {
  const current = textOf(page.$<Element, string>(`${numbers} > strong`).first());
  return current !== '' && current !== String(asked);
}

/** The only such element, which the page must have. */
export function required(page: PortalPage, selector: string): Selection {
  const found = page.$<Element, string>(selector).first();
  if (found.length === 0) throw brokenPage(page.status);
  return found;
}

/**
 * A table's body rows, each as its cells. Only a row that says "nothing found" across all columns makes
 * an empty list; a table without rows is broken. `columns`: their titles, which the table's head must show in this
 * order, or only their number.
 */
export function tableRows(
  page: PortalPage,
  selector: string,
  columns: number | readonly string[],
): Selection[][] {
  const table = required(page, selector);
  const width = typeof columns === 'number' ? columns : columns.length;
  if (typeof columns !== 'number') requireTitles(page, selector, columns);
  const rows = elements(page, table.find('tr')).filter(
    (row) => !isWithin(row, 'thead', 'tfoot') && row.children('td').length > 0,
  );
  const [only] = rows;
  if (only === undefined) throw brokenPage(page.status);
  if (
    rows.length === 1 &&
    only.children().length === 1 &&
    only.children('[colspan]').length === 1
  ) {
    // Anything else across all columns is a message, and never means an empty list.
    if (meaningOf(textOf(only)) !== 'nothing_found') throw brokenPage(page.status);
    return [];
  }
  return rows.map((row) => {
    const cells = elements(page, row.children('td, th'));
    if (cells.length !== width) throw brokenPage(page.status);
    return cells;
  });
}

/**
 * Compares the titles of a table's columns, in the order of the page: for a table whose head has several rows, which
 * `tableRows` cannot count.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR when one has moved or changed
 */
export function requireTitles(page: PortalPage, table: string, titles: readonly string[]): void {
  const shown = elements(page, required(page, table).find('thead th')).map(textOf);
  if (!isDeepStrictEqual(shown, titles)) throw brokenPage(page.status);
}

/** Text of one cell of a row. */
export function cell(row: readonly Selection[], index: number): string {
  const found = row[index];
  if (found === undefined) throw brokenPage();
  return textOf(found);
}

/**
 * Labels and their values: th and td of a table, dt and dd of a list. A label that is there twice with different
 * values has none. What lies in a value is part of it: read as labels once more, lists in each other would be read as
 * often as they are deep.
 */
export function labelledValues(page: PortalPage, selector: string): ReadonlyMap<string, string> {
  const container = required(page, selector);
  const values = new Map<string, string>();
  const unclear = new Set<string>();
  const labels = elements(page, container.find('th, dt'));
  for (const element of labels.filter((each) => !isInCell(each, container))) {
    const [label, value] = [textOf(element), textOf(element.next('td, dd'))];
    if ((values.get(label) ?? value) !== value) unclear.add(label);
    values.set(label, value);
  }
  for (const label of unclear) values.delete(label);
  return values;
}

const CELLS = ['td', 'th', 'dd', 'dt'];

function isInCell(element: Selection, container: Selection): boolean {
  const ancestors = ancestorsOf(element);
  const [outermost] = container.get();
  const inside = ancestors.slice(0, outermost && ancestors.indexOf(outermost));
  return inside.some(({ name }) => CELLS.includes(name));
}

/** @throws InstitutionError PROVIDER_UPSTREAM_ERROR when the page does not have the label */
export function labelled(values: ReadonlyMap<string, string>, label: string): string {
  const value = values.get(label);
  if (value === undefined) throw brokenPage();
  return value;
}

/**
 * The absolute address that a page links to.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR when it is outside the institution
 */
export function addressOf(page: PortalPage, target: string): string {
  // An empty address is the page itself.
  const base = target === '' ? page.url : page.base;
  const encoded = target.replace(/\?[^#]*/, (query) => encodeQuery(query, page.charset));
  const url = URL.canParse(encoded, base) ? new URL(encoded, base) : null;
  if (url === null || !page.origins.includes(url.origin)) throw brokenPage(page.status, false);
  url.hash = '';
  return url.href;
}

/** String arguments of an onclick handler: `fn_detail('BBS001','1203')` → BBS001, 1203. */
export function handlerArguments(element: Selection, name: string): string[] | null {
  const call = new RegExp(`\\b${name}\\(([^()]*)\\)`).exec(element.attr('onclick') ?? '')?.[1];
  if (call === undefined) return null;
  return [...call.matchAll(/'([^']*)'|(\d+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

/** `td`, `input`, in lower case. */
export function tagOf(element: Selection): string {
  return element.get(0)?.name ?? '';
}

/** Whether an element lies inside one of these. Asked of every row and field, for which a selector is too slow. */
export function isWithin(element: Selection, ...tags: readonly string[]): boolean {
  return ancestorsOf(element).some(({ name }) => tags.includes(name));
}

export function ancestorsOf(element: Selection): Element[] {
  const ancestors: Element[] = [];
  for (let node = element.get(0)?.parent; node; node = node.parent) {
    if (isTag(node)) ancestors.push(node);
  }
  return ancestors;
}

/** The elements of a selection or selector, each as a selection of its own. */
export function elements(page: PortalPage, selection: Selection | string): Selection[] {
  const found = typeof selection === 'string' ? page.$<Element, string>(selection) : selection;
  return found.toArray().map((element) => page.$(element));
}
