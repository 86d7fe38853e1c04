import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { encodeForm, encodeMultipart } from './charset.ts';
import { fieldOf, readForm } from './form.ts';
import { parsePage } from './page.ts';

const MARKUP = `
  <form id="f" action="/go" method="post">
    <input name="token" value="t1"><input name="empty">
    <textarea name="memo">\n두 줄\n</textarea>
    <input name="off" value="x" disabled>
    <fieldset disabled><input name="inner" value="x"></fieldset>
    <input type="checkbox" name="agree" checked><input type="checkbox" name="ad" value="Y">
    <input type="checkbox" name="term" value="1" checked><input type="checkbox" name="term" value="2" checked>
    <input type="radio" name="kind" value="1"><input type="radio" name="kind" value="2" checked>
    <select name="year"><option disabled value="">선택</option><option>2026</option></select>
    <select name="none" multiple><option value="a">a</option></select>
    <select name="some" multiple><option value="a" selected>a</option><option value="b" selected>b</option><option value="c">c</option></select>
    <input name="other" form="g" value="x">
    <input type="file" name="upload">
    <button type="button" name="script" value="x">도움말</button>
    <button name="press" value="first">조회</button>
    <input type="submit" name="press" value="second" formaction="/other">
  </form>
  <input name="outside" form="f" value="o">`;

function pageOf(body: string, contentType = 'text/html; charset=utf-8') {
  const bytes = Buffer.from(`<html><body>${body}</body></html>`);
  return parsePage({
    status: 200,
    url: 'https://portal.example/page',
    contentType,
    header: () => null,
    bytes,
    text: () => bytes.toString(),
  });
}

describe('readForm', () => {
  it('sends what a browser would send', () => {
    expect(readForm(pageOf(MARKUP), '#f')).toEqual({
      name: 'f',
      action: 'https://portal.example/go',
      method: 'POST',
      charset: 'utf-8',
      multipart: false,
      fields: {
        token: 't1',
        empty: '',
        memo: '두 줄\n',
        agree: 'on',
        term: ['1', '2'],
        kind: '2',
        year: '2026',
        some: ['a', 'b'],
        outside: 'o',
        press: 'first',
      },
    });
  });

  it('is sent by its first button, by another, or by a script', () => {
    const page = pageOf(MARKUP);
    const second = readForm(page, '#f', { button: 'input[type=submit]' });
    expect([second.action, second.fields.press]).toEqual([
      'https://portal.example/other',
      'second',
    ]);
    expect(readForm(page, '#f', { button: null }).fields).not.toHaveProperty('press');
    const image = pageOf('<form id="i"><input type="image" name="go" src="/go.gif"></form>');
    expect(readForm(image, '#i').fields).toEqual({ 'go.x': '0', 'go.y': '0' });
  });

  it('goes in the charset and the encoding that it asks for', () => {
    const page = pageOf(
      '<form id="f" method="post" accept-charset="EUC-KR" enctype="multipart/form-data"><input name="a"></form>',
    );
    expect(readForm(page, '#f')).toMatchObject({ charset: 'euc-kr', multipart: true });
  });

  it('writes letters that its charset lacks by their numbers, as browsers do', () => {
    expect(encodeForm({ srch_txt: 'Café 㐂?' }, 'euc-kr')).toBe(
      'srch_txt=Caf%26%23233%3B+%26%2313314%3B%3F',
    );
    const parts = encodeMultipart([{ name: 'name', value: '㐂代' }], 'x', 'euc-kr');
    expect(iconv.decode(parts, 'cp949')).toContain('\r\n\r\n&#13314;代\r\n');
    expect(encodeForm({ name: '㐂' }, 'utf-8')).toBe('name=%E3%90%82');
  });

  it('goes to an address relative to the base of its page, with its query in the charset of the page', () => {
    const based = '<base href="/member/"><form id="f" action="list.do?kind=가é"></form>';
    const page = pageOf(based, 'text/html; charset=euc-kr');
    expect(readForm(page, '#f').action).toBe(
      'https://portal.example/member/list.do?kind=%B0%A1%26%23233%3B',
    );
    const itself = pageOf('<base href="/member/"><form id="f"></form>');
    expect(readForm(itself, '#f').action).toBe('https://portal.example/page');
  });

  it('goes nowhere but to the institution (D141)', () => {
    const page = pageOf('<form id="f" action="https://elsewhere.example/go"></form>');
    expect(() => readForm(page, '#f')).toThrow('PROVIDER_UPSTREAM_ERROR');
    const based = pageOf(
      '<base href="https://elsewhere.example/"><form id="f" action="go"></form>',
    );
    expect(() => readForm(based, '#f')).toThrow('PROVIDER_UPSTREAM_ERROR');
    const own = { ...page, origins: [...page.origins, 'https://elsewhere.example'] };
    expect(readForm(own, '#f').action).toBe('https://elsewhere.example/go');
  });

  it('has one value to read where it has several', () => {
    const form = readForm(pageOf(MARKUP), '#f');
    expect([fieldOf(form, 'token'), fieldOf(form, 'term'), fieldOf(form, 'absent')]).toEqual([
      't1',
      '2',
      '',
    ]);
  });
});
