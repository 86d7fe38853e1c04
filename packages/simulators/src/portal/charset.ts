import iconv from 'iconv-lite';

export type Charset = 'utf-8' | 'euc-kr';

// CP949 is what browsers and Korean portals mean by EUC-KR.
const CODEC: Record<Charset, string> = { 'utf-8': 'utf8', 'euc-kr': 'cp949' };

export function encode(text: string, charset: Charset): Buffer {
  return iconv.encode(text, CODEC[charset]);
}

function percentDecode(text: string): Buffer {
  const source = Buffer.from(text.replaceAll('+', ' '), 'latin1');
  const bytes: number[] = [];
  for (let index = 0; index < source.length; index += 1) {
    const hex = source.toString('latin1', index + 1, index + 3);
    if (source[index] === 0x25 && /^[0-9a-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    } else {
      bytes.push(source[index] ?? 0);
    }
  }
  return Buffer.from(bytes);
}

/** Reads a query or form body written in the page's charset, names included. */
export function parseForm(text: string, charset: Charset): URLSearchParams {
  const form = new URLSearchParams();
  const decode = (part: string): string => iconv.decode(percentDecode(part), CODEC[charset]);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    form.append(decode(name), decode(rest.join('=')));
  }
  return form;
}
