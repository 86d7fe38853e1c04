import iconv from 'iconv-lite';
import type { Charset } from './charset.ts';

/** The fields of a multipart/form-data body; files are left out. */
export function parseMultipart(
  body: Buffer,
  contentType: string,
  charset: Charset,
): URLSearchParams {
  const form = new URLSearchParams();
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) return form;
  const decode = (text: string) =>
    iconv.decode(Buffer.from(text, 'latin1'), charset === 'euc-kr' ? 'cp949' : 'utf8');
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === undefined || /filename="/.test(head)) continue;
    form.append(decode(name), decode(rest.join('\r\n\r\n').replace(/\r\n$/, '')));
  }
  return form;
}
