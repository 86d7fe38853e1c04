import { demoCertificates } from '@changgu/simulators';
import ExcelJS from 'exceljs';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/job-failure.ts';
import { realData } from '../support/real-data.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const LOGIN = 'tax_portal.s1.login';
const CERTIFICATES = [
  'national_tax_payment',
  'tax_payment_record',
  'vat_standard',
  'business_registration',
  'business_suspension',
  'financial_statement',
  'business_closure',
  'business_registration_reissue',
] as const;

let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer();
  await real.client.jobs.run({ action: LOGIN });
});
afterAll(() => real[Symbol.asyncDispose]());

async function textOf(url: string | undefined): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(url ?? '')).arrayBuffer());
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  return text.replaceAll(/\s+/g, '');
}

describe('certificates through the SDK', () => {
  it.each(CERTIFICATES)('%s: a PDF with its number and the applicant', async (name) => {
    const { data, artifacts } = await real.client.jobs.run({ action: `tax_portal.c1.${name}` });
    expect(artifacts).toMatchObject([{ contentType: 'application/pdf' }]);
    const text = await textOf(artifacts[0]?.downloadUrl ?? undefined);
    expect(text).toContain(realData(data).issue_no);
    expect(text).toContain('창구데모');
  });

  it('the statement of income of an individual', async () => {
    const accountLinkId = await real.linkCertificate('tax_portal', demoCertificates.individual);
    await real.client.jobs.run({ action: LOGIN, accountLinkId });
    const action = 'tax_portal.c1.income_statement';
    const { artifacts } = await real.client.jobs.run({ action, accountLinkId });
    expect(await textOf(artifacts[0]?.downloadUrl ?? undefined)).toContain('김하늘');
  });

  it('a business may not apply for it, and nothing is retryable (R27, D84)', async () => {
    const running = real.client.jobs.run({ action: 'tax_portal.c1.income_statement' });
    await expect(running).rejects.toMatchObject({
      status: 422,
      code: 'PROVIDER_VALIDATION_ERROR',
      retryable: false,
    });
  });

  /** The requests of the last job, oldest first. */
  async function asked(from: number): Promise<string[]> {
    const { requests } = await real.log('tax_portal');
    return requests.slice(from).map(({ method, path, status }) => `${method} ${path} ${status}`);
  }

  it('the portal is asked in XML whose certificate it would be, before anything is applied for', async () => {
    const action = 'tax_portal.c1.vat_standard';
    const { businessNumber } = demoCertificates.corporation;
    const from = (await real.log('tax_portal')).requests.length;
    const params = { business_registration_no: businessNumber ?? '' };
    const { data } = await real.client.jobs.run({ action, params });
    expect(realData(data).status).toBe('발급완료');
    const [first, ...others] = await asked(from);
    expect(first).toBe('POST /permission.do 200');
    expect(others).toContain('POST /certificates/submit 303');
  });

  it('of another business than the one that is logged in is not applied for', async () => {
    const certificate = demoCertificates.agency;
    const accountLinkId = await real.linkCertificate('tax_portal', {
      ...certificate,
      businessNumber: null,
    });
    await real.client.jobs.run({ action: LOGIN, accountLinkId });
    const action = 'tax_portal.c1.vat_standard';
    const from = (await real.log('tax_portal')).requests.length;
    const params = { business_registration_no: demoCertificates.corporation.businessNumber ?? '' };
    const failure = await failureOf(real.client.jobs.run({ action, accountLinkId, params }));
    expect(failure).toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR', retryable: false });
    expect(await asked(from)).toEqual(['POST /permission.do 200']);
  });

  it('…0999: outcome unconfirmed, and the application is in the list (R28, D142)', async () => {
    const certificate = demoCertificates.magic['0999'];
    const accountLinkId = await real.linkCertificate('tax_portal', certificate);
    await real.client.jobs.run({ action: LOGIN, accountLinkId });
    const list = async () => {
      const action = 'tax_portal.c1.certificates_list';
      const { data } = await real.client.jobs.run({ action, accountLinkId });
      return realData(data).total_count;
    };
    const before = await list();
    const action = 'tax_portal.c1.vat_standard';
    const failure = await failureOf(real.client.jobs.run({ action, accountLinkId }));
    expect(failure).toMatchObject({ code: 'PROVIDER_OUTCOME_UNCONFIRMED', retryable: false });
    expect(await list()).toBe(before + 1);
  });

  it('without a session: AUTH_REQUIRED, not retryable here (R27, R52)', async () => {
    const certificate = demoCertificates.soleProprietor;
    const accountLinkId = await real.linkCertificate('tax_portal', certificate);
    const action = 'tax_portal.c1.vat_standard';
    const failure = await failureOf(real.client.jobs.run({ action, accountLinkId }));
    expect(failure).toMatchObject({ code: 'AUTH_REQUIRED', retryable: false });
  });
});

describe('whether a job changed anything at the institution', () => {
  const ISSUE = 'tax_portal.c1.vat_standard';
  const effectOf = async (action: string, accountLinkId?: string, params = {}) => {
    const handle = await real.client.jobs.submit({ action, accountLinkId, params });
    const { status, hadEffect } = await handle.wait();
    return [status, hadEffect];
  };

  it('is yes for an application, and no for a search (D03)', async () => {
    expect(await effectOf(ISSUE)).toEqual(['SUCCEEDED', 'yes']);
    expect(await effectOf('tax_portal.c1.certificates_list')).toEqual(['SUCCEEDED', 'no']);
  });

  it('is no for an application that was refused or lacked a session (D165)', async () => {
    const another = { business_registration_no: demoCertificates.agency.businessNumber ?? '' };
    expect(await effectOf(ISSUE, undefined, another)).toEqual(['FAILED', 'no']);
    const certificate = demoCertificates.magic['0402'];
    const link = await real.linkCertificate('tax_portal', certificate);
    expect(await effectOf(ISSUE, link)).toEqual(['FAILED', 'no']);
  });

  it('is unknown where the answer of the institution never came (D165)', async () => {
    const link = await real.linkCertificate('tax_portal', demoCertificates.magic['0999']);
    await real.client.jobs.run({ action: LOGIN, accountLinkId: link });
    expect(await effectOf(ISSUE, link)).toEqual(['FAILED', 'unknown']);
  });
});

describe('searches through the SDK', () => {
  it('who is logged in', async () => {
    const { data } = await real.client.jobs.run({ action: 'tax_portal.s1.user_info' });
    expect(data).toMatchObject({ user_name: '이창구', member_type: '법인사업자' });
  });

  it('payment statements come with the file of the portal', async () => {
    const { data, artifacts } = await real.client.jobs.run({
      action: 'tax_portal.t1.payment_statement',
      params: { mate_knd_cd: 'A0051' },
    });
    expect(artifacts[0]?.name).toMatch(/^지급명세서_20\d{6}_A0051\.xlsx$/);
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(await (await fetch(artifacts[0]?.downloadUrl ?? '')).arrayBuffer());
    expect(book.worksheets[0]?.rowCount).toBe(realData(data).row_count + 1);
  });

  it('what the specification excludes never reaches the portal (R126)', async () => {
    const { request_count: before } = await real.log('tax_portal');
    const sales = { bsno: '1234567891', stl_yr: '2025', qrt_from: 0, qrt_to: 5 };
    for (const [action, params] of [
      ['tax_portal.t1.credit_card_sales_data', sales],
      ['tax_portal.t1.payment_statement', { mate_knd_cd: 'A0000' }],
      [
        'tax_portal.t1.payment_statement_submit_history',
        { sbms_ym_strt: '202413', sbms_ym_end: '202413' },
      ],
    ] as const) {
      const key = `R126 ${action}`;
      const body = { provider: 'tax_portal', action, params };
      const answer = await real.server.call('POST', '/v1/jobs', { env: 'real_test', key, body });
      expect(answer.status).toBe(422);
    }
    expect((await real.log('tax_portal')).request_count).toBe(before);
  });
});
