import { type CheerioAPI, load } from 'cheerio/slim';
import { Parser } from 'htmlparser2';
import type { PortalResponse } from '../connector.ts';
import { BoundedHandler, brokenPage, MAX_BYTES } from './page.ts';

/** Prefixes that portals put before JSON to keep other sites' scripts from reading it, or a callback. */
const MAX_PREFIX = 1_000;
const PREFIX = /^(?:\uFEFF|\s|\)\]\}',?|while\s*\(1\);?|for\s*\(;;\);?|[\w$.]{1,80}\s*\()+/;

/**
 * The JSON value of a response, ignoring anything before and after it.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR for anything else
 */
export function readJson(response: PortalResponse): unknown {
  if (response.bytes.length > MAX_BYTES) throw brokenPage(response.status, false);
  const text = response.text();
  const value = text.slice(PREFIX.exec(text.slice(0, MAX_PREFIX))?.[0].length ?? 0);
  try {
    return JSON.parse(value.slice(0, endOfValue(value)));
  } catch {
    throw brokenPage(response.status);
  }
}

/** The end of an object or array; the whole text for any other value. */
function endOfValue(text: string): number {
  if (!/^[{[]/.test(text)) return text.length;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Strings are skipped as a whole, because they may contain brackets. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** The first element, after a declaration and comments. */
const ROOT = /^\s*(?:<\?xml[^>]*\?>)?\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<([\w:.-]+)[\s/>]/;
const MAX_PROLOG = 2_000;

export interface PortalXml {
  readonly status: number;
  readonly xml: string;
  /** Element and attribute names keep their case. */
  readonly $: CheerioAPI;
}

/**
 * A parsed XML response. Entities that it defines are not resolved.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR for truncated or invalid XML
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

/** How files begin, and what is near their end: how near, in bytes. */
const FORMATS = {
  pdf: { head: '%PDF-', tail: '%%EOF', within: 1_024 },
  // The end record of a ZIP archive and the longest comment that it can have.
  xlsx: { head: 'PK\x03\x04', tail: 'PK\x05\x06', within: 65_557 },
} as const;

export type FileFormat = keyof typeof FORMATS;
const FILE_FORMATS: readonly FileFormat[] = ['pdf', 'xlsx'];

/**
 * The bytes of a downloaded file.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR for anything else that the portal sends in its place, or half of it
 */
export function wholeFile(response: PortalResponse, format: FileFormat): Uint8Array {
  if (!isWhole(response, format)) throw brokenPage(response.status);
  return response.bytes;
}

function isWhole({ bytes }: PortalResponse, format: FileFormat): boolean {
  const { head, tail, within } = FORMATS[format];
  return (
    Buffer.from(bytes.subarray(0, head.length)).toString('latin1') === head &&
    Buffer.from(bytes.subarray(-within)).includes(tail, 'latin1')
  );
}

/** The format of a downloaded file; null when it is not whole or of another one. */
export function formatOf(response: PortalResponse): FileFormat | null {
  return FILE_FORMATS.find((format) => isWhole(response, format)) ?? null;
}

/** Only what `wholeFile` looks at. */
export function smallestFile(format: FileFormat): Uint8Array {
  const { head, tail } = FORMATS[format];
  return Buffer.from(head + tail, 'latin1');
}
