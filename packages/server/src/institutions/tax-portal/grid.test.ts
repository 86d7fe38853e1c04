import { describe, expect, it } from 'vitest';
import { type PortalPage, parsePage } from '../portal/page.ts';
import { allGridRows, gridCell } from './grid.ts';

const GRID = { selector: '#content > #grd', columns: ['가', '나'] };
const call = { progress: () => {} };
const BROKEN = { code: 'PROVIDER_UPSTREAM_ERROR' };
const SIZE = 3;

function page(rows: readonly string[], total: number) {
  const body = rows.map((name, index) => `<tr><td>${index + 1}</td><td>${name}</td></tr>`).join('');
  const empty = '<tr><td colspan="2">조회된 내역이 없습니다.</td></tr>';
  const html = `<html><body><div id="content"><p class="total">총 <em>${total}</em>건</p>
    <table id="grd"><thead><tr><th>가</th><th>나</th></tr></thead><tbody>${body || empty}</tbody></table></div></body></html>`;
  return parsePage({
    status: 200,
    url: 'https://portal.example/list',
    contentType: 'text/html; charset=utf-8',
    header: () => null,
    origins: ['https://portal.example'],
    bytes: Buffer.from(html),
    text: () => html,
  });
}

/** A list whose content is decided anew for each request, by how many there were before. */
function portal(contentAt: (request: number) => readonly string[]) {
  let requests = 0;
  return {
    requests: () => requests,
    async open(number: number) {
      const content = contentAt(requests);
      requests += 1;
      return page(content.slice((number - 1) * SIZE, number * SIZE), content.length);
    },
  };
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
async function read({ open }: Pick<ReturnType<typeof portal>, 'open'>): Promise<string[]> {
  const rows = await allGridRows(call, GRID, open);
  return rows.map((row) => gridCell(row, 1));
}

describe('a grid that is read page by page', () => {
  it('has every row once, and looks at the first page again', async () => {
    const steady = portal(() => NAMES);
    expect(await read(steady)).toEqual(NAMES);
    expect(steady.requests()).toBe(4);
  });

  it('is asked for once when it is one page', async () => {
    const short = portal(() => ['a', 'b']);
    expect(await read(short)).toEqual(['a', 'b']);
    expect(short.requests()).toBe(1);
  });

  it.each([
    ['a row comes in before the others', ['new', ...NAMES]],
    ['a row goes away', NAMES.slice(1)],
    ['a row goes away and another comes', ['new', ...NAMES.slice(0, -1)]],
  ])('is read again when %s between two pages', async (_, later) => {
    for (const from of [1, 2, 3]) {
      const changing = portal((request) => (request < from ? NAMES : later));
      expect(await read(changing)).toEqual(later);
    }
  });

  it('is taken from each page once, so that a long one costs no more for each row than a short one', async () => {
    const steady = portal(() => NAMES);
    const left: PortalPage[] = [];
    const open = async (number: number) => {
      for (const { $ } of left) $('td').text('');
      const opened = await steady.open(number);
      left.push(opened);
      return opened;
    };
    expect(await read({ open })).toEqual(NAMES);
  });

  it('is refused when it never comes to rest', async () => {
    const restless = portal((request) => [`new ${request}`, ...NAMES]);
    await expect(read(restless)).rejects.toMatchObject(BROKEN);
    const growing = portal((request) => [...NAMES, ...Array<string>(request).fill('more')]);
    await expect(read(growing)).rejects.toMatchObject(BROKEN);
  });

  it('is refused when a page is empty, or holds more than there is', async () => {
    const empty = { open: async (number: number) => page(number === 1 ? ['a', 'b', 'c'] : [], 7) };
    await expect(read(empty)).rejects.toMatchObject(BROKEN);
    const full = { open: async () => page(['a', 'b', 'c'], 2) };
    await expect(read(full)).rejects.toMatchObject(BROKEN);
  });
});
