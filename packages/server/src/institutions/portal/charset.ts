import iconv from 'iconv-lite';
import type { FormFields, PortalPart } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';

export type FormCharset = 'utf-8' | 'euc-kr';

/** Where a page may name its charset when the header does not. */
const META_BYTES = 1_024;
const META_CHARSET = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;
const XML_CHARSET = /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i;
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w-]+)/i;
/**
 * A page that really uses its charset has at most a few broken letters, typed by people or cut in half. In the other
 * one, two fifths of the Korean letters are. ASCII does not count: it reads the same in both. A long page in English
 * may have some signs, such as ©, in another charset.
 */
const MAX_BROKEN_SHARE = 0.1;
const MAX_BROKEN_SIGNS = 10;
const MAX_SIGN_SHARE = 0.01;
/** What a page does not show, and often includes from files in another charset. One without an end hides the rest. */
const HIDDEN = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\b|$)/gi;
const ASCII = /\p{ASCII}+/gu;

/**
 * The text of a response, in the charset of its byte order mark, else of its header, else of its meta element, else
 * UTF-8.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR when the bytes are not in that charset
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const text = decodeAs(encodingOf(bytes, contentType), bytes);
  const shown = text.replaceAll(HIDDEN, '');
  // Some pages say all that they say in a script.
  const letters = shown.replaceAll(ASCII, '') || text.replaceAll(ASCII, '');
  const broken = letters.length - letters.replaceAll('\uFFFD', '').length;
  const signs = Math.min(MAX_BROKEN_SIGNS, shown.length * MAX_SIGN_SHARE);
  if (broken > Math.max(2, letters.length * MAX_BROKEN_SHARE, signs)) {
    throw new InstitutionError('PROVIDER_UPSTREAM_ERROR');
  }
  return text;
}

/** Whether a response is text, which has a charset; the types of spreadsheets name XML as well. */
export function isText(contentType: string | null): boolean {
  return /html|\bjson|javascript|\btext\/|[/+]xml\b/i.test(contentType ?? 'html');
}

/** The charset in which a browser would submit a form of this page. */
export function charsetOf(bytes: Uint8Array, contentType: string | null): FormCharset {
  return encodingOf(bytes, contentType) === 'euc-kr' ? 'euc-kr' : 'utf-8';
}

/** Names that browsers do not know for the charset that they call EUC-KR: Java's, Python's, iconv's. */
const EUC_KR_NAMES = /^x?(?:ms|cp|windows|ibm)?949c?$|^uhc$|^x?euckr$|^5601$|^ksc5601|^ksx1001/;

/** The charset of forms by any of its names; null for one that portals do not use. */
export function formCharsetOf(label: string): FormCharset | null {
  const encoding = encodingNamed(label);
  return encoding === 'euc-kr' || encoding === 'utf-8' ? encoding : null;
}

/** A browser's name for an encoding; null for an unknown one. */
function encodingNamed(label: string): string | null {
  const name = label.trim().toLowerCase();
  if (EUC_KR_NAMES.test(name.replaceAll(/[-_]/g, ''))) return 'euc-kr';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

const BYTE_ORDER_MARK = '\u00EF\u00BB\u00BF';

function encodingOf(bytes: Uint8Array, contentType: string | null): string {
  const head = Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
  if (head.startsWith(BYTE_ORDER_MARK)) return 'utf-8';
  const label =
    HEADER_CHARSET.exec(contentType ?? '')?.[1] ??
    META_CHARSET.exec(head)?.[1] ??
    XML_CHARSET.exec(head)?.[1];
  return encodingNamed(label ?? 'utf-8') ?? 'utf-8';
}

/** Node's own EUC-KR lacks the 8,822 syllables that browsers read in it (CP949), and garbles them. */
function decodeAs(encoding: string, bytes: Uint8Array): string {
  return encoding === 'euc-kr'
    ? iconv.decode(Buffer.from(bytes), 'cp949')
    : new TextDecoder(encoding).decode(bytes);
}

/** `application/x-www-form-urlencoded` in the charset of the page with the form. */
export function encodeForm(fields: FormFields, charset: FormCharset = 'utf-8'): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  if (charset === 'utf-8') return new URLSearchParams(pairs).toString();
  const encode = (text: string) => percentEncode(encodeText(text, charset));
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** The letters of an address' query that are not ASCII, encoded as a browser would on a page in that charset. */
export function encodeQuery(query: string, charset: FormCharset): string {
  return query.replaceAll(/\P{ASCII}+/gu, (letters) => percentEncode(encodeText(letters, charset)));
}

/** Like browsers, writes letters that EUC-KR lacks by their numbers. */
function encodeText(text: string, charset: FormCharset): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  const bytes = iconv.encode(text, 'cp949');
  if (decodeAs('euc-kr', bytes) === text) return bytes;
  const letters = Array.from(text.toWellFormed(), (letter) =>
    decodeAs('euc-kr', iconv.encode(letter, 'cp949')) === letter
      ? letter
      : `&#${letter.codePointAt(0)};`,
  );
  return iconv.encode(letters.join(''), 'cp949');
}

/** `multipart/form-data`, names and values in the charset of the page. */
export function encodeMultipart(
  parts: readonly PortalPart[],
  boundary: string,
  charset: FormCharset = 'utf-8',
): Buffer {
  const quoted = (text: string) =>
    text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const pieces = parts.flatMap(({ name, value, fileName, contentType }) => {
    const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
    const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}${type}\r\n\r\n`;
    const content = typeof value === 'string' ? encodeText(value, charset) : value;
    return [encodeText(head, charset), content, Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

function percentEncode(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^A-Za-z0-9*\-._ ]/g, (character) => {
      const code = character.charCodeAt(0);
      return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .replaceAll(' ', '+');
}

/**
 * The file name of a Content-Disposition header: RFC 6266, or raw bytes in UTF-8 or EUC-KR as old
 * portals send them, also without quotes, or encoded as in an address. Null when there is none.
 */
export function dispositionFileName(header: string | null): string | null {
  if (header === null) return null;
  const extended = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodePercent(extended);
  const plain = /filename\s*=[ \t]*(?:"([^"]*)"|([^;]+))/i.exec(header);
  const name = plain?.[1] ?? withoutEndingBlanks(plain?.[2]);
  if (name === undefined) return null;
  const decoded = decodeRawName(Buffer.from(name, 'latin1'));
  return decodePercent(decoded) ?? decoded;
}

/**
 * `trim` would take the byte A0 of a Korean letter for a space, and a pattern that looks for the end begins anew at
 * each blank.
 */
function withoutEndingBlanks(text: string | undefined): string | undefined {
  let end = text?.length ?? 0;
  while (text?.[end - 1] === ' ' || text?.[end - 1] === '\t') end -= 1;
  return text?.slice(0, end);
}

function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function decodeRawName(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeAs('euc-kr', bytes);
  }
}
