import iconv from 'iconv-lite';
import { InstitutionError } from '../institution-error.ts';

export type FormCharset = 'utf-8' | 'euc-kr';

/** Where a page may say its charset when the header does not. */
const META_BYTES = 1_024;
const META_CHARSET = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w-]+)/i;
/** A page that really is in its charset has at most a few broken characters, typed by people. */
const MAX_BROKEN_SHARE = 0.01;

/**
 * Text of a response: in the charset of its header, else of its meta element, else UTF-8.
 * @throws InstitutionError PROVIDER_UPSTREAM_ERROR when the bytes are not in that charset
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const text = decoderFor(bytes, contentType).decode(bytes);
  const broken = text.length - text.replaceAll('\uFFFD', '').length;
  if (broken > Math.max(2, text.length * MAX_BROKEN_SHARE)) {
    throw new InstitutionError('PROVIDER_UPSTREAM_ERROR');
  }
  return text;
}

/** What a browser would send a form of this page in. */
export function charsetOf(bytes: Uint8Array, contentType: string | null): FormCharset {
  return decoderFor(bytes, contentType).encoding === 'euc-kr' ? 'euc-kr' : 'utf-8';
}

/** What Java, Windows and old templates call the charset that browsers call EUC-KR. */
const EUC_KR_NAMES = /^x?(?:ms|cp|windows|ibm)?949c?$|^uhc$|^euckr$|^ksc5601/;

function decoderFor(bytes: Uint8Array, contentType: string | null): TextDecoder {
  const head = Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
  const label = HEADER_CHARSET.exec(contentType ?? '')?.[1] ?? META_CHARSET.exec(head)?.[1];
  const name = (label ?? 'utf-8').toLowerCase();
  const isEucKr = EUC_KR_NAMES.test(name.replaceAll(/[-_]/g, ''));
  try {
    return new TextDecoder(isEucKr ? 'euc-kr' : name);
  } catch {
    return new TextDecoder('utf-8');
  }
}

/** `application/x-www-form-urlencoded` in the charset of the page that has the form. */
export function encodeForm(
  fields: Readonly<Record<string, string>>,
  charset: FormCharset = 'utf-8',
): string {
  if (charset === 'utf-8') return new URLSearchParams(fields).toString();
  // CP949 is what browsers mean by EUC-KR.
  const encode = (text: string) => percentEncode(iconv.encode(text, 'cp949'));
  return Object.entries(fields)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
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
 * File name of a Content-Disposition header: RFC 6266, or raw bytes in UTF-8 or EUC-KR as old
 * portals send them. Null when there is none.
 */
export function dispositionFileName(header: string | null): string | null {
  if (header === null) return null;
  const extended = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodePercent(extended);
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header);
  const name = plain?.[1] ?? plain?.[2];
  return name === undefined ? null : decodeRawName(Buffer.from(name, 'latin1'));
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
    return new TextDecoder('euc-kr').decode(bytes);
  }
}
