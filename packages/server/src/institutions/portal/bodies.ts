import { type CheerioAPI, load } from 'cheerio/slim';
import { Parser } from 'htmlparser2';
import type { PortalResponse } from '../connector.ts';
import { BoundedHandler, brokenPage, MAX_BYTES } from './page.ts';

/** What portals put before a JSON value so that no script of another site can read it, or a callback. */
const PREFIX = /^(?:\uFEFF|\s|\)\]\}',?|while\s*\(1\);?|for\s*\(;;\);?|[\w$.]{1,80}\s*\()+/;

/**
 * The JSON value of an answer, whatever stands before and behind it.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR for anything else
 */
export function readJson(response: PortalResponse): unknown {
  const text = response.text();
  const value = text.slice(PREFIX.exec(text)?.[0].length ?? 0);
  try {
    return JSON.parse(value.slice(0, endOfValue(value)));
  } catch {
    throw brokenPage(response.status);
  }
}

/** Where an object or array ends; the whole text for any other value. */
function endOfValue(text: string): number {
  if (!/^[{[]/.test(text)) return text.length;
  let depth = 0;
  // Strings are skipped whole: a bracket in one is text.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token.startsWith('"')) continue;
    depth += token === '{' || token === '[' ? 1 : -1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

/** The first element, behind a declaration and comments. */
const ROOT = /^\s*(?:<\?xml[^>]*\?>)?\s*(?:<!--[\s\S]*?-->\s*)*<([\w:.-]+)[\s/>]/;
const MAX_PROLOG = 2_000;

export interface PortalXml {
  readonly status: number;
  readonly xml: string;
  /** Names of elements and attributes keep their case. */
  readonly $: CheerioAPI;
}

/**
 * An XML answer, parsed. Entities of its own are not resolved.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR for one that broke off or is none
 */
export function readXml(response: PortalResponse): PortalXml {
  const { status, bytes } = response;
  if (bytes.length > MAX_BYTES) throw brokenPage(status, false);
  const xml = response.text().replace(/^\uFEFF/, '');
  const root = ROOT.exec(xml.slice(0, MAX_PROLOG))?.[1];
  const isWhole =
    root !== undefined && new RegExp(`(?:</${root}\\s*>|/>)\\s*$`).test(xml.slice(-1_000));
  if (!isWhole) throw brokenPage(status);
  const handler = new BoundedHandler(status);
  new Parser(handler, { xmlMode: true }).end(xml);
  return { status, xml, $: load(handler.root, { xml: true }) };
}
