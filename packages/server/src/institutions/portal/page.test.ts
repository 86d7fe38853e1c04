import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { PortalResponse } from '../connector.ts';
import { decodeText } from './charset.ts';
import { readForm } from './form.ts';
import { labelledValues, parsePage, required, sourceOf, tableRows } from './page.ts';

function responseOf(body: string | Uint8Array, contentType = 'text/html; charset=utf-8') {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return {
    status: 200,
    url: 'https://portal.example/page',
    contentType,
    header: () => null,
    bytes,
    text: () => decodeText(bytes, contentType),
  } satisfies PortalResponse;
}

/** What browsers, Java, Python and iconv call the one charset of old Korean pages. */
const EUC_KR_NAMES = [
  // The encoding standard of browsers.
  'cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601',
  'windows-949',
  // Java.
  'MS949 ms_949 windows949 x-windows-949 euckr euc_kr 5601 ksc5601-1987 ksc5601_1987 cp949 ibm949',
  'ibm-949 949 x-IBM949 cp949C ibm949C ibm-949C 949C x-IBM949C',
  // Python, iconv and old templates.
  'uhc ks_c-5601 ks_c-5601-1987 ksx1001 ks_x-1001 x-euc-kr',
].flatMap((names) => names.split(' '));

const pageOf = (body: string) => parsePage(responseOf(`<html><body>${body}</body></html>`));

describe('parsePage', () => {
  it.each([
    ['a comment after its end', '<html><body>a</body></html>\n<!-- was01 0.12s -->\n'],
    ['a script after its end', '<html><body>a</body></html><script>track()</script>'],
    [
      'names in Turkish letters before its end',
      `<html><body>${'İ'.repeat(5)}</body></html>\n<!-- was01 0.12s -->\n`,
    ],
    ['a fragment for a frame', '<table><tr><td>a</td></tr></table>\n'],
  ])('reads a page with %s', (_what, html) => {
    expect(parsePage(responseOf(html)).html).toBe(html);
  });

  it.each([
    ['broke off', '<html><body><table><tr><td>a'],
    ['has data behind its end', '<html></html><table><tr><td>1</td></tr></table>'],
    ['is a fragment that broke off', '<table><tr><td>12,3'],
  ])('refuses a page that %s', (_what, html) => {
    expect(() => parsePage(responseOf(html))).toThrow('PROVIDER_UPSTREAM_ERROR');
  });

  it.each(EUC_KR_NAMES)(
    'reads the charset %s wherever it is named, and sends its forms in it',
    (name) => {
      // "똠방각하" is in the extension that browsers, Java and Windows all add to EUC-KR.
      const words = Buffer.from([0x8c, 0x63, 0xb9, 0xe6, 0xb0, 0xa2, 0xc7, 0xcf]);
      const text = (before: string, after: string) =>
        Buffer.concat([Buffer.from(before), words, Buffer.from(after)]);
      const html = text('<html><form id="f"></form><p>', '</p></html>');
      const meta = text(`<html><meta charset="${name}"><form id="f"></form><p>`, '</p></html>');
      for (const page of [
        parsePage(responseOf(html, `text/html; charset=${name}`)),
        parsePage(responseOf(html, `text/html;Charset="${name.toUpperCase()}"`)),
        parsePage(responseOf(meta, 'text/html')),
      ]) {
        expect(page.$('p').text()).toBe('똠방각하');
        expect(readForm(page, '#f').charset).toBe('euc-kr');
      }
      const xml = text(`<?xml version="1.0" encoding="${name}"?><a>`, '</a>');
      expect(decodeText(xml, 'application/xml')).toContain('<a>똠방각하</a>');
      const asking = pageOf(`<html><form id="f" accept-charset="${name}"></form></html>`);
      expect(readForm(asking, '#f').charset).toBe('euc-kr');
    },
  );
});

describe('decodeText', () => {
  const words = '계좌번호와 잔액을 확인하십시오 '.repeat(20);
  const scripts = `<script>${'a();'.repeat(20_000)}</script>`;

  it.each([
    ['EUC-KR that says UTF-8', 'utf-8', iconv.encode(words, 'cp949')],
    ['UTF-8 that says EUC-KR', 'euc-kr', Buffer.from(words)],
  ])('refuses %s, however much markup there is around it', (_what, charset, letters) => {
    const bytes = Buffer.concat([Buffer.from(scripts), letters]);
    expect(() => decodeText(bytes, `text/html; charset=${charset}`)).toThrow(
      'PROVIDER_UPSTREAM_ERROR',
    );
  });

  it('reads a page on which some letters were cut in half', () => {
    const cut = iconv.encode(words, 'cp949').subarray(0, -2);
    const bytes = Buffer.concat([cut, Buffer.from('<br>'), cut, Buffer.from('<br>'), cut]);
    expect(decodeText(bytes, 'text/html; charset=euc-kr').split(words.slice(0, 200))).toHaveLength(
      4,
    );
  });

  const english = 'Your session has ended. '.repeat(30);

  it.each([
    ['a comment in EUC-KR', words, `<!-- ${words} -->`, 'cp949'],
    ['a script in EUC-KR', words, `<SCRIPT>// ${words}</SCRIPT >`, 'cp949'],
    ['signs in Latin-1 between English words', english, '© · ®', 'latin1'],
  ])('reads a page in UTF-8 with %s', (_what, text, odd, charset) => {
    const bytes = Buffer.concat([Buffer.from(text), iconv.encode(odd, charset), Buffer.from(text)]);
    expect(decodeText(bytes, 'text/html').split(text)).toHaveLength(3);
  });

  it.each([
    '{"name":"김조합"}',
    `<html><body><script>alert('로그인이 필요합니다.')</script></body></html>`,
  ])('refuses a short answer in EUC-KR that says UTF-8: %s', (answer) => {
    const bytes = iconv.encode(answer, 'cp949');
    expect(() => decodeText(bytes, 'text/html')).toThrow('PROVIDER_UPSTREAM_ERROR');
  });

  it('believes a byte order mark more than the header, as browsers do', () => {
    const bytes = Buffer.from(`\uFEFF${words}`);
    expect(decodeText(bytes, 'text/html; charset=euc-kr')).toBe(words);
  });
});

describe('tableRows', () => {
  const table = (rows: string) =>
    pageOf(`<table id="t"><thead><tr><th>a</th></tr></thead>${rows}</table>`);

  it('is empty where the portal says so', () => {
    const page = table('<tr><td colspan="3">조회된 내역이 없습니다.</td></tr>');
    expect(tableRows(page, '#t', 3)).toEqual([]);
  });

  it.each([
    ['has no rows at all', ''],
    ['says something else', '<tr><td colspan="3">조회 중 오류가 발생하였습니다.</td></tr>'],
    ['has too few cells', '<tr><td>1</td></tr>'],
  ])('refuses a table that %s', (_what, rows) => {
    expect(() => tableRows(table(rows), '#t', 3)).toThrow('PROVIDER_UPSTREAM_ERROR');
  });
});

describe('sourceOf', () => {
  it('is the markup as the portal sent it', () => {
    const markup = '<P CLASS=x>A&nbsp;B<br/>둘 </P> 끝';
    const page = pageOf(`<div class="body">${markup}</div>`);
    expect(sourceOf(page, required(page, '.body'))).toBe(markup);
    const empty = pageOf('<div class="body"></div>');
    expect(sourceOf(empty, required(empty, '.body'))).toBe('');
  });
});

describe('labelledValues', () => {
  it('reads each text once, however deeply lists lie in each other', () => {
    const depth = 60;
    const page = pageOf(
      `<dl id="l"><dt>이름</dt><dd>${'<dl><dt>a</dt><dd>'.repeat(depth)}김조합${'</dd></dl>'.repeat(depth)}</dd></dl>`,
    );
    const [text] = page
      .$('dd')
      .last()
      .contents()
      .toArray()
      .filter((node) => node.type === 'text');
    if (text === undefined) throw new Error('there is no text');
    const { data } = text;
    let reads = 0;
    Object.defineProperty(text, 'data', {
      get: () => {
        reads += 1;
        return data;
      },
    });
    const values = labelledValues(page, '#l');
    expect([...values]).toEqual([['이름', `${'a'.repeat(depth)}김조합`]]);
    expect(reads).toBe(1);
  });

  it('are also those of rows inside other elements', () => {
    const page = pageOf('<table id="t"><tbody><tr><th>a</th><td>1</td></tr></tbody></table>');
    expect([...labelledValues(page, '#t')]).toEqual([['a', '1']]);
  });
});
