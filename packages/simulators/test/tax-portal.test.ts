import exceljs from 'exceljs';
import { extractText } from 'unpdf';
import { describe, expect, it } from 'vitest';
import type { DemoCertificate } from '../src/index.ts';
import { demoCertificates, demoMembers } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { certificateLogin, labelled, rowsOf, useStage, won } from './stage.ts';

const stage = useStage();
const SCREENS = [
  ['UTERDAAA04', '납세증명서'],
  ['UTERDAAA06', '납부내역증명'],
  ['UTERDAAA08', '부가가치세 과세표준증명'],
  ['UTEABGAA21', '사업자등록증명'],
  ['UTEABDAA02', '휴업사실증명'],
  ['UTEABDAA04', '표준재무제표증명'],
  ['UTEABDAA03', '폐업사실증명'],
  ['UTEABAAA12', '사업자등록증 재발급'],
] as const;

async function loggedIn(certificate: DemoCertificate): Promise<Browser> {
  const browser = stage.browser('tax_portal');
  await certificateLogin(browser, 'tax_portal', certificate);
  await browser.follow();
  return browser;
}

const corporation = (): Promise<Browser> => loggedIn(demoCertificates.corporation);
const alert = (browser: Browser): string => browser.view.$('#alertMessage').text();

async function apply(
  browser: Browser,
  screenId: string,
  fields: Record<string, string> = {},
): Promise<void> {
  await browser.get(`/certificates/apply?screenId=${screenId}`);
  await browser.submit('#applyForm', fields);
  if (browser.view.$('#submitForm').length === 0) return;
  await browser.submit('#submitForm');
  if (browser.view.location) await browser.follow();
}

async function pdfText(bytes: Buffer): Promise<string> {
  const { totalPages, text } = await extractText(new Uint8Array(bytes), { mergePages: true });
  expect(totalPages).toBe(1);
  return text;
}

describe('user info', () => {
  it('shows who is logged in', async () => {
    const browser = await corporation();
    expect(labelled(browser, 'table.tbl_info')).toMatchObject({
      사용자명: '이창구',
      '상호(법인명)': '주식회사 창구데모',
      사업자등록번호: '999-81-41001',
      회원유형: '법인사업자',
      로그인방법: '공동인증서',
    });
  });
});

describe('certificate applications', () => {
  it.each(SCREENS)('%s issues %s as a PDF', async (screenId, title) => {
    const browser = await corporation();
    await apply(browser, screenId, { issueCnt: '2', usePurpose: '07' });
    const result = labelled(browser, 'table.tbl_info');
    expect(result.처리상태).toBe('발급완료');
    expect(result.발급번호).toMatch(/^\d{4}-\d{3}-\d{4}-\d{3}$/);
    await browser.get(browser.view.$('#btnPrint').attr('href') ?? '');
    expect(browser.view.contentType).toBe('application/pdf');
    expect(decodeURIComponent(browser.view.disposition)).toContain(`${title}`);
    const text = await pdfText(browser.view.bytes);
    for (const part of [title, result.발급번호, '2026-11-20 14:00:00', '주식회사 창구데모']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('999-81-41001');
    expect(text).toContain('금융기관 제출용');
  });

  it('printing again gives the same bytes', async () => {
    const browser = await corporation();
    await apply(browser, 'UTERDAAA04');
    const link = browser.view.$('#btnPrint').attr('href') ?? '';
    const first = (await browser.get(link)).bytes;
    expect((await browser.get(link)).bytes.equals(first)).toBe(true);
  });

  it('English and the resident number are as asked for', async () => {
    const browser = await loggedIn(demoCertificates.soleProprietor);
    await apply(browser, 'UTESFAAE35', { rsnoOpenYn: 'Y' });
    await browser.get(browser.view.$('#btnPrint').attr('href') ?? '');
    expect(await pdfText(browser.view.bytes)).toContain('800101-1000000');
    await apply(browser, 'UTERDAAA04', { langCd: 'EN' });
    await browser.get(browser.view.$('#btnPrint').attr('href') ?? '');
    expect(await pdfText(browser.view.bytes)).toContain('Certificate of Tax Clearance');
  });

  it('the list is newest first, ten a page, and grows by an application', async () => {
    const browser = await corporation();
    await browser.get('/certificates/list');
    expect(browser.view.$('.total em').text()).toBe('13');
    await apply(browser, 'UTERDAAA04', { issueCnt: '3' });
    const { 접수번호: receipt } = labelled(browser, 'table.tbl_info');
    await browser.get('/certificates/list');
    const rows = rowsOf(browser, '#grdList');
    expect(rows).toHaveLength(10);
    expect(rows[0]).toEqual([
      receipt,
      '납세증명서(국세완납증명)',
      'B0006',
      '2026-11-20 14:00:00',
      '발급완료',
      expect.any(String),
      '3',
    ]);
    const times = rows.map((row) => row[3] ?? '');
    expect(times).toEqual(times.toSorted().reverse());
    await browser.get('/certificates/list?pageNo=2');
    expect(rowsOf(browser, '#grdList')).toHaveLength(4);
    await browser.get('/certificates/list?pageNo=3');
    expect(browser.view.$('.nodata')).toHaveLength(1);
  });

  it('a confirmed application can be submitted once', async () => {
    const browser = await corporation();
    await browser.get('/certificates/apply?screenId=UTERDAAA04');
    await browser.submit('#applyForm');
    const { csrfToken = '', applyToken = '' } = Object.fromEntries(
      browser.view
        .$('#submitForm')
        .serializeArray()
        .map(({ name, value }) => [name, value]),
    );
    expect((await browser.post('/certificates/submit', { csrfToken, applyToken })).status).toBe(
      303,
    );
    await browser.post('/certificates/submit', { csrfToken, applyToken });
    expect(alert(browser)).toBe('이미 처리되었거나 유효하지 않은 신청입니다.');
  });

  it('0999 the application is registered though the connection breaks', async () => {
    const browser = await loggedIn(demoCertificates.magic['0999']);
    await browser.get('/certificates/apply?screenId=UTERDAAA04');
    await browser.submit('#applyForm');
    await expect(browser.submit('#submitForm')).rejects.toThrow('other side closed');
    await browser.get('/certificates/list');
    expect(browser.view.$('.total em').text()).toBe('14');
    expect(rowsOf(browser, '#grdList')[0]?.[3]).toBe('2026-11-20 14:00:00');
    const { requests } = await stage.log('tax_portal');
    expect(requests.find(({ path }) => path === '/certificates/submit')?.status).toBeNull();
  });

  it.each([
    ['UTEABDAA02', 'individual', '사업자만 신청할 수 있습니다.'],
    ['UTEABAAA12', 'individual', '사업자만 신청할 수 있습니다.'],
    ['UTESFAAE35', 'corporation', '종합소득세 신고자(개인)만 신청할 수 있습니다.'],
  ] as const)('D84: %s is not for a %s', async (screenId, who, text) => {
    const browser = await loggedIn(demoCertificates[who]);
    await browser.get(`/certificates/apply?screenId=${screenId}`);
    expect(alert(browser)).toBe(text);
  });

  it.each([
    [{ issueCnt: '0' }, '수량은'],
    [{ issueCnt: '11' }, '수량은'],
    [{ usePurpose: '77' }, '사용용도'],
    [{ submitTo: '' }, '제출처'],
    [{ rsnoOpenYn: 'X' }, '주민등록번호'],
    [{ langCd: 'JP' }, '발급유형'],
    [{ cvaCd: 'B0001' }, '민원코드'],
  ])('refuses %j', async (fields, text) => {
    const browser = await corporation();
    await apply(browser, 'UTERDAAA04', fields);
    expect(alert(browser)).toContain(text);
    await browser.get('/certificates/list');
    expect(browser.view.$('.total em').text()).toBe('13');
  });
});

describe('invoice summary', () => {
  async function summary(
    browser: Browser,
    dateType: string,
    searchType = '01',
  ): Promise<number[][]> {
    await browser.get('/einvoice/summary');
    await browser.submit('#searchForm', {
      searchType,
      dateType,
      startDate: '20260101',
      endDate: '20261231',
    });
    return rowsOf(browser, '#grdSummary').map((row) => row.slice(1).map(won));
  }

  const sum = (rows: readonly (readonly number[])[]): number[] =>
    [0, 1, 2, 3, 4].map((column) => rows.reduce((total, row) => total + (row[column] ?? 0), 0));

  it('daily, monthly and quarterly sums agree with each other and with the total', async () => {
    const browser = await corporation();
    const daily = await summary(browser, '01');
    const monthly = await summary(browser, '02');
    expect(rowsOf(browser, '#grdSummary')[0]?.[0]).toBe('2026-01');
    const quarterly = await summary(browser, '03');
    expect(daily.length).toBeGreaterThan(31);
    expect(monthly).toHaveLength(11);
    expect(quarterly).toHaveLength(4);
    expect(sum(monthly)).toEqual(sum(daily));
    expect(sum(quarterly)).toEqual(sum(daily));
    const foot = browser.view
      .$('#grdSummary tfoot td')
      .toArray()
      .map((cell) => won(browser.view.$(cell).text()));
    expect(foot).toEqual(sum(daily));
    expect(await summary(browser, '02', '02')).not.toEqual(monthly);
  });

  it.each([
    [{ startDate: '20260101', endDate: '20270601' }, '최대 1년'],
    [{ startDate: '20260230', endDate: '20260601' }, '조회기간'],
    [{ searchType: '03', startDate: '20260101', endDate: '20260601' }, '조회구분'],
    [{ searchType: 'toString', startDate: '20260101', endDate: '20260601' }, '조회구분'],
    [{ dateType: 'constructor', startDate: '20260101', endDate: '20260601' }, '조회구분'],
    [{ dateType: '04', startDate: '20260101', endDate: '20260601' }, '조회구분'],
  ])('refuses %j', async (fields, text) => {
    const browser = await corporation();
    await browser.get('/einvoice/summary');
    await browser.submit('#searchForm', fields);
    expect(alert(browser)).toContain(text);
  });
});

describe('card sales', () => {
  const bsno = demoMembers.corporation.businessNumber;

  it('has a row per month that has begun', async () => {
    const browser = await corporation();
    await browser.get('/sales/credit-card');
    await browser.submit('#searchForm', { bsno, stlYr: '2026', qrtFrom: '3', qrtTo: '4' });
    const rows = rowsOf(browser, '#grdSales');
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['3분기', '2026-07'],
      ['3분기', '2026-08'],
      ['3분기', '2026-09'],
      ['4분기', '2026-10'],
      ['4분기', '2026-11'],
    ]);
    expect(rows.every((row) => row.length === 8)).toBe(true);
  });

  it.each([
    [{ bsno: '1234567891' }, '본인의 사업자등록번호'],
    [{ stlYr: '99' }, '결제년도'],
    [{ qrtFrom: '4', qrtTo: '1' }, '조회분기'],
    [{ qrtTo: '5' }, '조회분기'],
  ])('refuses %j', async (fields, text) => {
    const browser = await corporation();
    await browser.get('/sales/credit-card');
    await browser.submit('#searchForm', { bsno, stlYr: '2026', ...fields });
    expect(alert(browser)).toContain(text);
  });
});

describe('payment statements', () => {
  async function search(browser: Browser, mateKndCd: string, pageNo = '1'): Promise<string[][]> {
    await browser.get('/statements/payment');
    await browser.submit('#searchForm', { mateKndCd, pageNo });
    return rowsOf(browser, '#grdStatements');
  }

  it('the pages and the spreadsheet show the same rows', async () => {
    const browser = await corporation();
    const rows = await search(browser, 'A0051');
    const total = Number(browser.view.$('.total em').text());
    const link = browser.view.$('#btnExcel').attr('href') ?? '';
    for (let page = 2; page <= Math.ceil(total / 10); page += 1) {
      rows.push(...(await search(browser, 'A0051', String(page))));
    }
    expect(total).toBeGreaterThan(20);
    await browser.get(link);
    const workbook = new exceljs.Workbook();
    // ExcelJS declares its own Buffer type.
    await workbook.xlsx.load(new Uint8Array(browser.view.bytes).buffer);
    const sheet = workbook.getWorksheet('지급명세서');
    const printed = rows.map((row) => row.map((cell) => cell.replaceAll(',', '')));
    const written = Array.from({ length: total }, (_, index) =>
      Array.from({ length: 8 }, (_, column) => sheet?.getCell(index + 2, column + 1).text),
    );
    expect(written).toEqual(printed);
    expect(sheet?.rowCount).toBe(total + 1);
  });

  it('a kind without statements is an empty list, an unknown kind is refused', async () => {
    const browser = await loggedIn(demoCertificates.magic['0200']);
    expect(await search(browser, 'A0051')).toEqual([['조회된 내역이 없습니다.']]);
    for (const mateKndCd of ['A9999', 'constructor']) {
      await search(browser, 'A0051');
      await browser.submit('#searchForm', { mateKndCd });
      expect(alert(browser)).toBe('자료종류를 선택하여 주십시오.');
    }
  });
});

describe('submission history', () => {
  async function search(browser: Browser, fields: Record<string, string>): Promise<string[][]> {
    await browser.get('/statements/submit-history');
    await browser.submit('#searchForm', {
      sbmsYmStrt: '202601',
      sbmsYmEnd: '202611',
      ...fields,
    });
    return rowsOf(browser, '#grdHistory');
  }

  it('all kinds together are each kind by itself, and nothing is of the future', async () => {
    const browser = await corporation();
    await search(browser, {});
    const total = Number(browser.view.$('.total em').text());
    let single = 0;
    for (const typeCd of ['A0161', 'A0162', 'A0163', 'A0164', 'A0165', 'F0025', 'F0026']) {
      const rows = await search(browser, { typeCd });
      single += Number(browser.view.$('.total em').text());
      expect(rows.every((row) => row.length === 1 || row[1] === typeCd)).toBe(true);
    }
    expect(single).toBe(total);
    const newest = (await search(browser, {})).map((row) => row[5] ?? '');
    expect(newest[0]?.localeCompare('2026-11-20 14:00:00')).toBe(-1);
    expect(newest).toEqual(newest.toSorted().reverse());
  });

  it.each([
    [{ sbmsYmStrt: '202613' }, '제출년월을'],
    [{ sbmsYmStrt: '202612' }, '제출년월을'],
    [{ sbmsYmStrt: '202511' }, '최대 12개월'],
    [{ typeCd: 'A0000' }, '서식을'],
    [{ typeCd: 'toString' }, '서식을'],
  ])('refuses %j', async (fields, text) => {
    const browser = await corporation();
    await search(browser, fields);
    expect(alert(browser)).toContain(text);
  });
});
