import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { DemoCertificate } from '../src/index.ts';
import { demoCertificates } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { certificateLogin, rowsOf, useStage } from './stage.ts';

const stage = useStage();
const BOARDS = [
  { init: '/faq/selectFaqInit.do', total: 37, charset: 'utf-8' },
  { init: '/form/selectFormInit.do', total: 46, charset: 'utf-8' },
  { init: '/notice/selectNoticeInit.do', total: 28, charset: 'euc-kr' },
] as const;
const [FAQ, FORM, NOTICE] = BOARDS;

async function loggedIn(
  certificate: DemoCertificate = demoCertificates.corporation,
): Promise<Browser> {
  const browser = stage.browser('si_edi');
  await certificateLogin(browser, 'si_edi', certificate);
  await browser.follow();
  return browser;
}

async function list(
  browser: Browser,
  init: string,
  fields: Record<string, string> = {},
): Promise<string[][]> {
  await browser.get(init);
  await browser.submit('#searchForm', fields);
  return rowsOf(browser, 'table.board_list');
}

const calls = (browser: Browser): string[] =>
  browser.view
    .$('.board_list .subject a')
    .toArray()
    .map((link) => browser.view.$(link).attr('onclick') ?? '');

const quoted = (call: string): string[] =>
  [...call.matchAll(/'([^']*)'/g)].map(([, text]) => text ?? '');

describe.each(BOARDS)('board $init', ({ init, total, charset }) => {
  it('R52: wants a login', async () => {
    const browser = stage.browser('si_edi');
    await browser.get(init);
    expect(browser.view.location).toBe('/sessionOut.do?type=none');
  });

  it('starts with a search form, its labels and a token', async () => {
    const browser = await loggedIn();
    await browser.get(init);
    expect(browser.view.charset).toBe(charset);
    expect(browser.view.$('#searchForm input[name="_csrf"]')).toHaveLength(1);
    expect(browser.view.$('#searchForm label').length).toBeGreaterThan(2);
    expect(browser.view.$('.location li')).toHaveLength(3);
  });

  it('pages through all postings, newest first, and is empty beyond', async () => {
    const browser = await loggedIn();
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(total / 10); page += 1) {
      await list(browser, init, { currentPageNo: String(page) });
      seen.push(...calls(browser));
      expect(browser.view.$('.total strong').text()).toBe(String(total));
    }
    expect(new Set(seen).size).toBe(total);
    const beyond = await list(browser, init, { currentPageNo: '99' });
    expect(beyond).toEqual([['조회된 내역이 없습니다.']]);
  });

  it('R45: 0200 is an empty list', async () => {
    const browser = await loggedIn(demoCertificates.magic['0200']);
    expect(await list(browser, init)).toEqual([['조회된 내역이 없습니다.']]);
    expect(browser.view.$('.total strong').text()).toBe('0');
  });
});

describe('searching', () => {
  it('finds by text in the charset of the page, and by code', async () => {
    const browser = await loggedIn();
    const notices = await list(browser, NOTICE.init, { srchTxt: '점검', srchOpt: 'TITLE' });
    expect(notices.length).toBeGreaterThan(0);
    expect(notices.every((row) => row[2]?.includes('점검'))).toBe(true);
    const questions = await list(browser, FAQ.init, { srchClsfCd: 'EI' });
    expect(questions.every((row) => row[1]?.startsWith('고용보험'))).toBe(true);
    const forms = await list(browser, FORM.init, { srchInsuCd: 'NHI', srchJobCd: 'ACQ' });
    expect(forms.every((row) => row[1] === '건강보험 > 취득' || row.length === 1)).toBe(true);
  });

  it('sorts by views', async () => {
    const browser = await loggedIn();
    const views = (await list(browser, FAQ.init, { srchSort: 'VIEW' })).map((row) =>
      Number(row[5]),
    );
    expect(views).toEqual(views.toSorted((a, b) => b - a));
  });

  it('refuses an unknown code and a page 0', async () => {
    const browser = await loggedIn();
    await list(browser, FAQ.init, { srchClsfCd: 'XX' });
    expect(browser.view.$('.error_wrap .txt').text()).toBe('보험구분 값이 올바르지 않습니다.');
    await list(browser, FAQ.init, { currentPageNo: '0' });
    expect(browser.view.$('.error_wrap .txt').text()).toBe('페이지 번호가 올바르지 않습니다.');
  });
});

describe('postings', () => {
  it('a question shows its answer', async () => {
    const browser = await loggedIn();
    const [first] = await list(browser, FAQ.init);
    const [qstnSn = ''] = quoted(calls(browser)[0] ?? '');
    await browser.submit('#detailForm', { qstnSn });
    expect(browser.view.$('.board_view td').first().text()).toBe(first?.[2]);
    expect(browser.view.$('.view_cont p')).toHaveLength(3);
  });

  it('a form of one board is not found on another, nor one that does not exist', async () => {
    const browser = await loggedIn();
    await list(browser, FORM.init);
    const [bbsId = '', pstSn = ''] = quoted(calls(browser)[0] ?? '');
    await browser.submit('#detailForm', { bbsId, pstSn });
    expect(browser.view.$('.board_view')).toHaveLength(1);
    await browser.submit('#detailForm', { bbsId: 'BBS999', pstSn });
    expect(browser.view.$('.error_wrap .txt').text()).toBe('존재하지 않는 게시물입니다.');
  });
});

async function attachments(browser: Browser, init: string, row: number): Promise<string[][]> {
  await list(browser, init);
  const key = quoted(calls(browser)[row] ?? '');
  const names = init === FORM.init ? ['bbsId', 'pstSn'] : ['pstSn'];
  await browser.submit(
    '#fileForm',
    Object.fromEntries(names.map((name, index) => [name, key[index] ?? ''])),
  );
  return browser.view
    .$('.file_table a')
    .toArray()
    .map((link) => quoted(browser.view.$(link).attr('onclick') ?? ''));
}

async function exists(browser: Browser, atflId: string, atchFileSn: string): Promise<string> {
  await browser.get(FAQ.init);
  await browser.submit('#existsForm', { atflId, atchFileSn });
  return browser.view.html;
}

describe('files', () => {
  it('a form has a spreadsheet that opens, named in EUC-KR bytes', async () => {
    const browser = await loggedIn();
    const [file = []] = await attachments(browser, FORM.init, 0);
    const [atflId = '', atchFileSn = ''] = file;
    expect(await exists(browser, atflId, atchFileSn)).toBe('{"existYn":"Y"}');
    await browser.get(`/file/downloadFile.do?atflId=${atflId}&atchFileSn=${atchFileSn}`);
    const name = iconv.decode(Buffer.from(browser.view.disposition, 'latin1'), 'cp949');
    expect(name).toMatch(/^attachment; filename="[가-힣]+_[가-힣]+_[가-힣]+\.xlsx"$/);
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.load(new Uint8Array(browser.view.bytes).buffer);
    expect(workbook.getWorksheet('서식')?.getCell('A1').value).toBe('성명');
  });

  it('the second file of a form is a PDF, a notice has a text file', async () => {
    const browser = await loggedIn();
    const [, pdf = []] = await attachments(browser, FORM.init, 0);
    await browser.get(`/file/downloadFile.do?atflId=${pdf[0]}&atchFileSn=${pdf[1]}`);
    expect(browser.view.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const [text = []] = await attachments(browser, NOTICE.init, 0);
    await browser.get(`/file/downloadFile.do?atflId=${text[0]}&atchFileSn=${text[1]}`);
    expect(iconv.decode(browser.view.bytes, 'cp949')).toContain('이용에 참고하여');
  });

  it('R45: a posting without files has an empty file table', async () => {
    const browser = await loggedIn();
    expect(await attachments(browser, NOTICE.init, 1)).toEqual([]);
    expect(browser.view.$('.nodata')).toHaveLength(1);
  });

  it('a listed file may be gone, an unknown one never was', async () => {
    const browser = await loggedIn();
    const lost = (await attachments(browser, FORM.init, 4))[0] ?? [];
    expect(await exists(browser, lost[0] ?? '', lost[1] ?? '')).toBe('{"existYn":"N"}');
    expect(await exists(browser, 'ATFL0', '1')).toBe('{"existYn":"N"}');
    await browser.get('/file/downloadFile.do?atflId=ATFL0&atchFileSn=1');
    expect(browser.view.$('.error_wrap .txt').text()).toBe('파일이 존재하지 않습니다.');
  });
});
