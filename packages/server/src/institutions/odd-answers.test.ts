import {
  demoCertificates,
  type Feature,
  type Provider,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from './connector.ts';
import { siEdi } from './si-edi/si-edi.ts';
import { taxPortal } from './tax-portal/tax-portal.ts';
import { type ChangeAnswer, changedHttp } from './testing/changed-http.ts';
import { certificateCredential } from './testing/fake-call.ts';
import { type Walk, walk } from './testing/portal-walk.ts';

const MODULES = { si_edi: siEdi, tax_portal: taxPortal };
const LOGINS = { si_edi: 'si_edi.auth.session.login', tax_portal: 'tax_portal.s1.login' };
type Portal = keyof typeof MODULES & Provider;

let simulators: Simulators;
let answers: string[];
beforeAll(async () => {
  simulators = await startSimulators({ now: Date.now });
});
afterEach(async () => {
  await switchOn('si_edi', []);
  await switchOn('tax_portal', []);
});
afterAll(() => simulators.close());

async function switchOn(provider: Portal, features: readonly Feature[]): Promise<void> {
  const answer = await fetch(`${simulators.controlUrl}/${provider}/features`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ features }),
  });
  expect(await answer.json()).toEqual({ features });
}

/** Logged in; every answer of the portal but files is noted. */
async function visitor(
  provider: Portal,
  change: ChangeAnswer = (response) => response,
): Promise<Walk> {
  const credential = await certificateCredential(demoCertificates.corporation);
  const http = changedHttp((response, request) => {
    if (/html|json/.test(response.contentType ?? '')) answers.push(response.text());
    return change(response, request);
  });
  answers = [];
  const institution = MODULES[provider];
  const visit = walk({ simulators, institution, link: { credential }, now: Date.now, http });
  await visit.run(LOGINS[provider]);
  return visit;
}

describe('a list whose portal shows its last page for every page beyond', () => {
  it.each([
    ['si_edi', 'si_edi.b1.resources.faqs.list', 'board_list'],
    ['si_edi', 'si_edi.b1.resources.notices.institutions.list', 'board_list'],
    ['tax_portal', 'tax_portal.c1.certificates_list', 'grdList'],
  ] as const)('%s: is empty there, and whole before (D36): %s', async (provider, action, table) => {
    const { run } = await visitor(provider);
    if (provider === 'tax_portal') await run('tax_portal.c1.vat_standard');
    const first = (await run(action)).data;
    expect(first.row_count).toBeGreaterThan(0);
    await switchOn(provider, ['clamped_pages']);
    const beyond = (await run(action, { current_page_no: 99 })).data;
    const [shown = ''] = answers.slice(-1);
    expect(shown).toContain(table);
    expect(shown).not.toContain('nodata');
    expect(beyond).toMatchObject({ row_count: 0, items: [] });
    expect((await run(action, { current_page_no: 1 })).data.items).toEqual(first.items);
  });
});

describe('JSON that the portal adds something to', () => {
  it('is read up to its end', async () => {
    const { run } = await visitor('si_edi');
    const { data: list } = await run('si_edi.b1.resources.forms.list');
    const [{ bbs_id, pst_sn } = {}] = list.items as JsonObject[];
    const { data } = await run('si_edi.b1.resources.forms.detail', { bbs_id, pst_sn });
    const { attachments } = data.detail as { attachments: JsonObject[] };
    const { atfl_id, atch_file_sn } = attachments[0] ?? {};
    const download = () => run('si_edi.b1.resources.files.download', { atfl_id, atch_file_sn });
    const plain = (await download()).data;
    const [before = ''] = answers.slice(-1);
    expect(JSON.parse(before)).toEqual({ existYn: 'Y' });
    await switchOn('si_edi', ['json_suffix']);
    expect((await download()).data).toEqual(plain);
    const [after = ''] = answers.slice(-1);
    expect(after.startsWith(before)).toBe(true);
    expect(() => JSON.parse(after)).toThrow(SyntaxError);
  });
});

describe('an answer in the place of a file', () => {
  const sentence = Buffer.from('세션이 만료되었습니다.');
  const noContent = { status: 204, contentType: null, bytes: new Uint8Array(0) };

  it.each([
    ['a sentence', { contentType: 'text/plain; charset=utf-8', bytes: sentence }],
    ['nothing', noContent],
  ])('is not stored as the spreadsheet: %s (D165)', async (_, instead) => {
    const { run } = await visitor('tax_portal', (response, { path }) =>
      path.endsWith('/excel') ? { ...response, ...instead } : response,
    );
    const failure = run('tax_portal.t1.payment_statement', { mate_knd_cd: 'A0051' });
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
  });

  it('is not stored as an attachment when it is empty (D165)', async () => {
    const { run } = await visitor('si_edi', (response, { path }) =>
      path.endsWith('/downloadFile.do') ? { ...response, ...noContent } : response,
    );
    const [{ bbs_id, pst_sn } = {}] = (await run('si_edi.b1.resources.forms.list')).data
      .items as JsonObject[];
    const { data } = await run('si_edi.b1.resources.forms.detail', { bbs_id, pst_sn });
    const { attachments } = data.detail as { attachments: JsonObject[] };
    const { atfl_id, atch_file_sn } = attachments[0] ?? {};
    const file = { atfl_id, atch_file_sn, dry_run: false };
    const failure = run('si_edi.b1.resources.files.download', file);
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
  });
});
