import { describe, expect, it } from 'vitest';
import { InstitutionError } from '../institution-error.ts';
import { type PortalPage, parsePage } from './page.ts';
import { type PagedList, readPages } from './pager.ts';

const PAGE = 3;
const call = { progress: () => {} };

function pageOf(number: number): PortalPage {
  const bytes = Buffer.from(`<html><body>${number}</body></html>`);
  return parsePage({
    status: 200,
    url: `https://portal.example/list?page=${number}`,
    contentType: 'text/html; charset=utf-8',
    header: () => null,
    bytes,
    text: () => bytes.toString(),
  });
}

/** A list of numbered rows; `shown` says what stands on a page. */
function list(
  total: number,
  shown: (number: number) => readonly number[],
  more: Partial<PagedList<number>> = {},
): PagedList<number> {
  return {
    first: pageOf(1),
    total,
    rowsOf: (page) => shown(Number(page.$('body').text())),
    next: async (_page, number) => pageOf(number),
    ...more,
  };
}

const ROWS = Array.from({ length: 8 }, (_, index) => index + 1);
const pageRows = (rows: readonly number[], number: number) =>
  rows.slice((number - 1) * PAGE, number * PAGE);
const BROKEN = { code: 'PROVIDER_UPSTREAM_ERROR' };

describe('a list in pages', () => {
  it('is read until all rows are there that the portal promised', async () => {
    expect(
      await readPages(
        call,
        list(8, (number) => pageRows(ROWS, number)),
      ),
    ).toEqual(ROWS);
  });

  it('counts rows once that moved to the next page while it was read', async () => {
    const shifted = [100, ...ROWS];
    const twice = [200, ...shifted];
    const shown = (number: number) =>
      pageRows([ROWS, shifted, twice, twice][number - 1] ?? [], number);
    expect(await readPages(call, list(8, shown))).toEqual(ROWS);
  });

  /** Pages that repeat the number of all rows, as the portal counts them at that moment. */
  const counted = (states: readonly (readonly number[])[]) =>
    list(states[0]?.length ?? 0, (number) => pageRows(states[number - 1] ?? [], number), {
      totalOf: (page) => states[Number(page.$('body').text()) - 1]?.length ?? 0,
    });

  it('keeps rows that are alike when the portal counts how many moved', async () => {
    const alike = [1, 2, 7, 7, 3, 4];
    const later = [9, ...alike];
    expect(await readPages(call, counted([alike, later, later]))).toEqual(alike);
  });

  it('continues past a page of rows that it has read, when as many came in before them', async () => {
    const later = [9, 8, 0, ...ROWS];
    expect(await readPages(call, counted([ROWS, later, later, later]))).toEqual(ROWS);
  });

  it('is broken when rows were removed while it was read, although others came at its end', async () => {
    const removed = ROWS.slice(1);
    const refilled = [...removed, 9, 10];
    await expect(readPages(call, counted([ROWS, removed, refilled]))).rejects.toMatchObject(BROKEN);
  });

  it('is broken when there are more rows than the portal promised', async () => {
    const short = list(2, (number) => pageRows(ROWS, number));
    await expect(readPages(call, short)).rejects.toMatchObject(BROKEN);
    const none = list(0, (number) => pageRows(ROWS, number));
    await expect(readPages(call, none)).rejects.toMatchObject(BROKEN);
    const later = list(7, (number) => pageRows(ROWS, number), {
      totalOf: () => 7,
      endIsFixed: true,
    });
    await expect(readPages(call, later)).rejects.toMatchObject(BROKEN);
  });

  it('leaves out what came in at its end, though the portal prints the number that it counted at first', async () => {
    const later = list(7, (number) => pageRows(ROWS, number), { totalOf: () => 7 });
    expect(await readPages(call, later)).toEqual(ROWS.slice(0, 7));
  });

  it('is broken when the portal shows its last page again, or an empty one', async () => {
    const clamped = (number: number) => pageRows(ROWS, Math.min(number, 2));
    await expect(readPages(call, list(8, clamped))).rejects.toMatchObject(BROKEN);
    const short = list(9, (number) => pageRows(ROWS, number));
    await expect(readPages(call, short)).rejects.toMatchObject(BROKEN);
    await expect(
      readPages(
        call,
        list(8, (number) => pageRows(ROWS, number), { next: () => null }),
      ),
    ).rejects.toBeInstanceOf(InstitutionError);
  });

  it('stops where enough has been read', async () => {
    const enough = (rows: readonly number[]) => rows.length >= 6;
    const some = await readPages(
      call,
      list(8, (number) => pageRows(ROWS, number), { enough }),
    );
    expect(some).toEqual(ROWS.slice(0, 6));
  });

  it('says which page it reads', async () => {
    const steps: string[] = [];
    const progress = (step: number, steps_: number, message: string) =>
      steps.push(`${step}/${steps_} ${message}`);
    await readPages(
      { progress },
      list(8, (number) => pageRows(ROWS, number)),
    );
    expect(steps).toEqual(['2/3 목록을 읽고 있습니다 (2쪽)', '3/3 목록을 읽고 있습니다 (3쪽)']);
  });
});
