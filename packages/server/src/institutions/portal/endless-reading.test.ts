import { describe, expect, it } from 'vitest';
import { meaningOf } from '../meaning/korean-sentences.ts';
import { readJson, readXml } from './bodies.ts';
import { decodeText } from './charset.ts';
import { readForm } from './form.ts';
import { labelledValues, parsePage, tableRows } from './page.ts';
import { overlap } from './pager.ts';
import { printedWon } from './printed-values.ts';

const BROKEN = 'PROVIDER_UPSTREAM_ERROR';
/** As many elements as a page may have, in groups as large as may be, and as many letters. */
const GROUP = 9_000;
const ELEMENTS = 5 * GROUP;
const LETTERS = 1_900_000;

function answer(body: string) {
  const bytes = Buffer.from(body);
  return {
    status: 200,
    url: 'https://portal.example/page',
    contentType: null,
    header: () => null,
    bytes,
    text: () => body,
  };
}

const pageOf = (body: string) => parsePage(answer(`<html><body>${body}</body></html>`));

const inGroups = (make: (n: number) => string) =>
  Array.from({ length: ELEMENTS }, (_, n) => `${n % GROUP === 0 ? '</dl><dl>' : ''}${make(n)}`);

/** No timer can interrupt a loop: a worker that hangs loses its jobs, and the next hangs in the same page. */
describe('what a portal sends to be read without end (D03)', () => {
  it('a message as long as a page', () => {
    const page = pageOf(`<table><tr><td colspan="5">${'a'.repeat(LETTERS)}</td></tr></table>`);
    expect(() => tableRows(page, 'table', 5)).toThrow(BROKEN);
    expect(meaningOf('오류시'.repeat(LETTERS / 3))).toBeNull();
    // One character that stands for eighteen letters.
    expect(meaningOf('\uFDFA'.repeat(LETTERS))).toBeNull();
  });

  it('a string that does not end', () => {
    expect(() => readJson(answer(`{"${String.raw`\"`.repeat(LETTERS)}`))).toThrow(BROKEN);
  });

  it('comments before a root element that does not follow', () => {
    const comments = '<!---->'.repeat(250);
    expect(() => readXml(answer(`${comments}!`))).toThrow(BROKEN);
    expect(
      readXml(answer(`${comments}<a>1</a>`))
        .$('a')
        .text(),
    ).toBe('1');
  });

  it('comments and scripts that do not end', () => {
    for (const begin of ['<!--', '<script', '<!-- ', '<style ']) {
      const text = begin.repeat(LETTERS / begin.length);
      expect(decodeText(Buffer.from(text), null) === text).toBe(true);
    }
  });

  it('white space before a value, or within it', () => {
    const spaces = ' '.repeat(10 * LETTERS);
    expect(readJson(answer(`${' '.repeat(LETTERS)}{"a":1}`))).toEqual({ a: 1 });
    expect(() => printedWon(`-${spaces}x`)).toThrow(BROKEN);
  });

  it('labels without number, all different', () => {
    const labels = inGroups((n) => `<dt>${'번호'.repeat(4)}${n}`).join('');
    const page = pageOf(`<div>${labels}<dt>둘<dd>1<dt>둘<dd>2<dt>하나<dd>1</dl></div>`);
    const values = labelledValues(page, 'div');
    expect(values.size).toBe(ELEMENTS + 1);
    expect([values.get('하나'), values.get('둘')]).toEqual(['1', undefined]);
  });

  it('fields without number, all of one name', () => {
    const fields = inGroups(() => '<input name="constructor">').join('');
    const page = pageOf(`<form action="/">${fields}</dl></form>`);
    expect(readForm(page, 'form').fields.constructor).toHaveLength(ELEMENTS);
  });

  it('more elements side by side than the library can search', () => {
    expect(() => pageOf(`<p>${'<b></b>'.repeat(10_001)}</p>`)).toThrow(BROKEN);
    expect(pageOf(`<p>${'<b></b>'.repeat(10_000)}</p>`).$('b')).toHaveLength(10_000);
  });

  it('pages of the same rows again and again, but for the last', () => {
    const rows = (last: string) => [...Array(ELEMENTS - 1).fill({ memo: '이체' }), { memo: last }];
    expect(overlap(rows('나'), rows('가'))).toBe(0);
    expect(overlap(rows('이체'), rows('가'))).toBe(ELEMENTS - 1);
  });
});
