import {
  demoCertificates,
  demoMembers,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../connector.ts';
import { changedHttp, withText } from '../testing/changed-http.ts';
import { certificateCredential, passwordCredential } from '../testing/fake-call.ts';
import { DATA_ENDINGS, LOGIN_ENDINGS } from '../testing/magic-endings.ts';
import { type Walk, type WalkOptions, walk } from '../testing/portal-walk.ts';
import { taxPortal } from './tax-portal.ts';

const LOGIN = 'tax_portal.s1.login';
const CERTIFICATES = Object.keys(taxPortal.connectors).filter(
  (id) => id.startsWith('tax_portal.c1.') && !/_(list|print)$/.test(id),
);
const NUMBER = demoMembers.corporation.businessNumber;

const now = Date.parse('2026-11-21T12:00:00+09:00');
let simulators: Simulators;
let corporation: Walk;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => now });
  corporation = await visitor(demoCertificates.corporation);
  await corporation.run(LOGIN);
});
afterAll(() => simulators.close());

type Demo = Parameters<typeof certificateCredential>[0];

async function visitor(demo: Demo): Promise<Walk> {
  const link = {
    credential: await certificateCredential(demo),
    businessNumber: demo.businessNumber,
  };
  return walk({ simulators, institution: taxPortal, link, now: () => now });
}

/** With a link that knows no business number. */
async function unnumbered(demo: Demo, more: Partial<WalkOptions> = {}): Promise<Walk> {
  const link = { credential: await certificateCredential(demo) };
  return walk({ simulators, institution: taxPortal, link, now: () => now, ...more });
}

const itemsOf = (data: JsonObject) => data.items as JsonObject[];
const sum = (rows: readonly JsonObject[], name: string) =>
  rows.reduce((total, row) => total + Number(row[name]), 0);

describe('login', () => {
  it('by certificate, and says until when it lasts (D83, D143)', async () => {
    const { data } = await corporation.run(LOGIN);
    expect(data.session_expires_at).toBe('2026-11-21T12:20:00.000+09:00');
    const info = await corporation.run('tax_portal.s1.user_info');
    expect(info.data).toEqual({
      success: true,
      user_name: '이창구',
      business_registration_no: NUMBER,
      member_type: '법인사업자',
    });
  });

  it('by id, also of a person without a business number (D155)', async () => {
    const { loginId, loginPassword } = demoMembers.individual;
    const link = { credential: passwordCredential(loginId, loginPassword) };
    const { run } = walk({ simulators, institution: taxPortal, link, now: () => now });
    await run(LOGIN);
    const { data } = await run('tax_portal.s1.user_info');
    expect(data).toMatchObject({ business_registration_no: null, member_type: '개인' });
  });

  it('a wrong password is rejected', async () => {
    const link = { credential: passwordCredential('gildong', 'wrong') };
    const { run } = walk({ simulators, institution: taxPortal, link, now: () => now });
    await expect(run(LOGIN)).rejects.toMatchObject({ code: 'PROVIDER_CREDENTIAL_REJECTED' });
  });

  it('without a login: AUTH_REQUIRED (R52)', async () => {
    const { run } = await visitor(demoCertificates.corporation);
    await expect(run('tax_portal.s1.user_info')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  });
});

describe('certificates', () => {
  const corporate = CERTIFICATES.filter((id) => !id.endsWith('income_statement'));

  it.each(corporate)('%s is issued once, after the point of no return, as a PDF', async (id) => {
    const { call, data } = await corporation.run(id, { copies: 2, language: 'EN' });
    expect(data).toMatchObject({
      certificate_code: call.action.taxPortal?.certificateCode,
      status: '발급완료',
      copies: 2,
      language: 'EN',
    });
    const submits = call.requests.map(({ path }) => path.endsWith('/certificates/submit'));
    expect(call.passedAt()).toBe(submits.indexOf(true));
    expect(submits.filter(Boolean)).toHaveLength(1);
    expect(call.files).toMatchObject([{ extension: 'pdf', contentType: 'application/pdf' }]);
    expect(Buffer.from(call.files[0]?.bytes as Uint8Array).toString('latin1', 0, 5)).toBe('%PDF-');
    const list = await corporation.run('tax_portal.c1.certificates_list');
    expect(itemsOf(list.data)[0]).toMatchObject({
      receipt_no: data.receipt_no,
      issue_no: data.issue_no,
      copies: 2,
    });
  });

  it('the kind of owner is known before the portal is asked (D84)', async () => {
    const credential = await certificateCredential(demoCertificates.corporation);
    const link = { credential, ownerKind: 'business' } as const;
    const { run } = walk({ simulators, institution: taxPortal, link, now: () => now });
    const failure = run('tax_portal.c1.income_statement');
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
  });

  it('where the link does not know, the portal says it (D84)', async () => {
    const failure = corporation.run('tax_portal.c1.income_statement');
    await expect(failure).rejects.toMatchObject({
      code: 'PROVIDER_VALIDATION_ERROR',
      details: { providerErrorRef: 'tax_portal:T1002' },
    });
  });

  it('an individual gets the statement of income', async () => {
    const { run } = await visitor(demoCertificates.individual);
    await run(LOGIN);
    expect((await run('tax_portal.c1.income_statement')).data.certificate_code).toBe('B1022');
  });

  it('another business than the linked one is refused', async () => {
    const failure = corporation.run('tax_portal.c1.vat_standard', {
      business_registration_no: '123-45-67891',
    });
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
  });

  it.each(['soleProprietor', 'individual'] as const)(
    'is refused for a business that is not logged in, where the link knows none: %s (D165)',
    async (member) => {
      const paths: string[] = [];
      const http = changedHttp((response, { path }) => {
        paths.push(path);
        return response;
      });
      const { run } = await unnumbered(demoCertificates[member], { http });
      await run(LOGIN);
      const list = 'tax_portal.c1.certificates_list';
      const before = (await run(list)).data.total_count;
      paths.length = 0;
      const failure = run('tax_portal.c1.vat_standard', { business_registration_no: NUMBER });
      await expect(failure).rejects.toMatchObject({
        code: 'PROVIDER_VALIDATION_ERROR',
        details: { message: '로그인한 사업자의 사업자등록번호와 다릅니다.' },
      });
      expect(paths).toEqual(['/permission.do']);
      expect((await run(list)).data.total_count).toBe(before);
    },
  );

  const XML = 'application/xml; charset=UTF-8';
  it.each([
    ['another result', '<map><result>F</result></map>', 'PROVIDER_UPSTREAM_ERROR'],
    [
      'a sentence',
      '<map><result>E</result><msg>세션이 종료되었습니다. 다시 로그인하여 주십시오.</msg><code>S0002</code></map>',
      'PROVIDER_SESSION_EXPIRED',
    ],
    ['no number', '<map><result>S</result></map>', 'PROVIDER_UPSTREAM_ERROR'],
    ['half of it', '<map><result>S</result><tin>', 'PROVIDER_UPSTREAM_ERROR'],
    ['JSON', '{"result":"S"}', 'PROVIDER_UPSTREAM_ERROR'],
  ])('is not applied for when the portal says who is logged in by %s', async (_, xml, code) => {
    const paths: string[] = [];
    const http = changedHttp((response, { path }) => {
      paths.push(path);
      if (path !== '/permission.do') return response;
      return { ...response, contentType: XML, bytes: Buffer.from(xml), text: () => xml };
    });
    const { run } = await unnumbered(demoCertificates.soleProprietor, { http });
    await run(LOGIN);
    const failure = run('tax_portal.c1.vat_standard', {
      business_registration_no: demoMembers.soleProprietor.businessNumber,
    });
    await expect(failure).rejects.toMatchObject({ name: 'InstitutionError', code });
    expect(paths.at(-1)).toBe('/permission.do');
  });

  it('is issued for the business that is logged in, where the link knows none', async () => {
    const { run } = await unnumbered(demoCertificates.soleProprietor);
    await run(LOGIN);
    const { data } = await run('tax_portal.c1.vat_standard', {
      business_registration_no: demoMembers.soleProprietor.businessNumber,
    });
    expect(data).toMatchObject({ status: '발급완료', document_attached: true });
  });

  it('can be printed again, and nothing is applied for', async () => {
    const list = 'tax_portal.c1.certificates_list';
    const { items, total_count: total } = (await corporation.run(list)).data;
    const [newest] = itemsOf({ items });
    const params = { issue_no: newest?.issue_no };
    const { call } = await corporation.run('tax_portal.c1.certificate_print', params);
    expect(call.files).toMatchObject([{ extension: 'pdf' }]);
    expect(call.passedAt()).toBeNull();
    expect((await corporation.run(list)).data.total_count).toBe(total);
  });

  it('…0999 breaks off after the point of no return; the application is there (D142, R28)', async () => {
    const { run } = await visitor(demoCertificates.magic['0999']);
    await run(LOGIN);
    const list = 'tax_portal.c1.certificates_list';
    const before = (await run(list)).data.total_count;
    const failure = run('tax_portal.c1.vat_standard');
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    await expect(failure).rejects.not.toHaveProperty('details.refused', true);
    expect((await run(list)).data.total_count).toBe(Number(before) + 1);
  });

  it('lists ten applications a page (D36)', async () => {
    const action = 'tax_portal.c1.certificates_list';
    const { data } = await corporation.run(action);
    expect(data).toMatchObject({ current_page_no: 1, row_count: 10 });
    expect((await corporation.run(action, { current_page_no: 99 })).data).toMatchObject({
      row_count: 0,
      items: [],
      total_count: data.total_count,
    });
  });
});

describe('searches', () => {
  it('the invoice summary adds up, every kind and unit in its own row (D155)', async () => {
    const params = { start_date: '20260701', end_date: '20260930', date_types: ['01', '02', '03'] };
    const { data } = await corporation.run('tax_portal.e1.invoice_summary', params);
    const rows = itemsOf(data);
    for (const type of ['01', '02']) {
      const kind = rows.filter(({ search_type }) => search_type === type);
      const of = (unit: string) => kind.filter(({ date_type }) => date_type === unit);
      expect(sum(of('01'), 'total_amount')).toBe(sum(of('03'), 'total_amount'));
      expect(sum(of('02'), 'supply_amount')).toBe(sum(of('03'), 'supply_amount'));
      expect(of('02').length).toBeGreaterThan(0);
    }
    for (const row of rows) {
      expect(row.total_amount).toBe(Number(row.supply_amount) + Number(row.tax_amount));
    }
  });

  it('the quarter of the acceptance, both kinds, by month, unless told otherwise (D155)', async () => {
    const submittedAt = Date.parse('2026-09-30T23:58:00+09:00');
    const { data } = await corporation.run('tax_portal.e1.invoice_summary', {}, { submittedAt });
    expect(data).toMatchObject({ start_date: '20260701', end_date: '20260930' });
    expect(new Set(itemsOf(data).map(({ date_type }) => date_type))).toEqual(new Set(['02']));
  });

  it('card sales of some quarters, hyphens and digit strings allowed', async () => {
    const params = {
      bsno: String(NUMBER).replace(/(\d{3})(\d{2})(\d{5})/, '$1-$2-$3'),
      stl_yr: '2025',
      qrt_from: '2',
      qrt_to: 3,
    };
    const { data } = await corporation.run('tax_portal.t1.credit_card_sales_data', params);
    expect(data).toMatchObject({ bsno: NUMBER, qrt_from: 2, qrt_to: 3, row_count: 6 });
    expect(itemsOf(data).map(({ approved_month }) => approved_month)).toContain('202504');
  });

  it('card sales in columns that have changed places are refused', async () => {
    const http = changedHttp((response) =>
      withText(response, response.text().replace(/(<th[^>]*>신용카드<.th>)(<th.*?<.th>)/, '$2$1')),
    );
    const { run } = await unnumbered(demoCertificates.soleProprietor, { http });
    await run(LOGIN);
    const bsno = demoMembers.soleProprietor.businessNumber;
    const params = { bsno, stl_yr: '2025', qrt_from: 1, qrt_to: 1 };
    const failure = run('tax_portal.t1.credit_card_sales_data', params);
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
  });

  it("another's card sales are a refused parameter", async () => {
    const params = { bsno: '1234567891', stl_yr: '2025', qrt_from: 1, qrt_to: 1 };
    const failure = corporation.run('tax_portal.t1.credit_card_sales_data', params);
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
  });

  it('payment statements: all pages, and the same in the spreadsheet of the portal', async () => {
    const { call, data } = await corporation.run('tax_portal.t1.payment_statement', {
      mate_knd_cd: 'A0051',
    });
    expect(data.row_count).toBeGreaterThan(0);
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(new Uint8Array(call.files[0]?.bytes as Uint8Array).buffer);
    expect(book.worksheets[0]?.rowCount).toBe(Number(data.row_count) + 1);
  });

  it('submissions of some kinds only, inclusive months', async () => {
    const action = 'tax_portal.t1.payment_statement_submit_history';
    const months = { sbms_ym_strt: '202601', sbms_ym_end: '202606' };
    const all = itemsOf((await corporation.run(action, months)).data);
    expect(all.length).toBeGreaterThan(10);
    const some = await corporation.run(action, { ...months, type_codes: ['A0161', 'F0026'] });
    const wanted = all.filter(({ type_code }) => ['A0161', 'F0026'].includes(String(type_code)));
    expect(some.data.row_count).toBe(wanted.length);
    expect(all[0]?.submitted_at).toMatch(/\+09:00$/);
  });

  it('…0200 finds nothing and succeeds (R45)', async () => {
    const { run } = await visitor(demoCertificates.magic['0200']);
    await run(LOGIN);
    const summary = await run('tax_portal.e1.invoice_summary');
    expect(summary.data).toMatchObject({ row_count: 0, items: [] });
    const statements = await run('tax_portal.t1.payment_statement', { mate_knd_cd: 'A0051' });
    expect(statements.data).toMatchObject({ row_count: 0, items: [] });
  });
});

describe('magic endings', () => {
  it.each(LOGIN_ENDINGS)('…%s ends the login in %s (D142)', async (ending, code) => {
    const { run } = await visitor(demoCertificates.magic[ending]);
    await expect(run(LOGIN)).rejects.toMatchObject({ code });
  });

  it.each(DATA_ENDINGS)('…%s ends whatever asks for data in %s (D142)', async (ending, code) => {
    const quarter = { bsno: '1248100998', stl_yr: '2026', qrt_from: 1, qrt_to: 2 };
    const params = { ...quarter, mate_knd_cd: 'A0051' };
    // One prints by a number from a list that has none here, the other is for individuals.
    const others = ['c1.certificate_print', 'c1.income_statement'].map((id) => `tax_portal.${id}`);
    const actions = Object.keys(taxPortal.connectors).filter(
      (action) => action !== LOGIN && !others.includes(action),
    );
    expect(actions).toHaveLength(14);
    for (const action of actions) {
      const { run } = await visitor(demoCertificates.magic[ending]);
      await run(LOGIN);
      await expect(run(action, params), action).rejects.toMatchObject({ code });
    }
  });
});
