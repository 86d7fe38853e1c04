import { describe, expect, it } from 'vitest';
import type { PortalResponse } from '../connector.ts';
import { decodeText } from './charset.ts';
import { readForm } from './form.ts';
import { parsePage, required, sourceOf, tableRows } from './page.ts';

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

const pageOf = (body: string) => parsePage(responseOf(`<html><body>${body}</body></html>`));

describe('parsePage', () => {
  it.each([
    ['a comment after its end', '<html><body>a</body></html>\n<!-- was01 0.12s -->\n'],
    ['a script after its end', '<html><body>a</body></html><script>track()</script>'],
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

  it.each([
    'MS949',
    'cp949',
    'x-windows-949',
    'ms_949',
    'UHC',
    'ks_c_5601-1987',
    'euc_kr',
    'KSC5601',
  ])('reads the charset %s, and sends its forms in it', (charset) => {
    // "가" in EUC-KR.
    const html = Buffer.concat([
      Buffer.from('<html><form id="f"></form><p>'),
      Buffer.from([0xb0, 0xa1]),
      Buffer.from('</p></html>'),
    ]);
    const page = parsePage(responseOf(html, `text/html; charset=${charset}`));
    expect(page.$('p').text()).toBe('가');
    expect(readForm(page, '#f').charset).toBe('euc-kr');
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
