import { demoCertificates, type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../connector.ts';
import { changedHttp, withText } from '../testing/changed-http.ts';
import { certificateCredential } from '../testing/fake-call.ts';
import { DATA_ENDINGS, LOGIN_ENDINGS } from '../testing/magic-endings.ts';
import { type Walk, type WalkOptions, walk } from '../testing/portal-walk.ts';
import { siEdi } from './si-edi.ts';

const LOGIN = 'si_edi.auth.session.login';
const of = (suffix: string) => `si_edi.b1.resources.${suffix}`;

const now = Date.parse('2026-11-21T12:00:00+09:00');
let simulators: Simulators;
let corporation: Walk;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => now });
  corporation = await visitor(demoCertificates.corporation);
  await corporation.run(LOGIN);
});
afterAll(() => simulators.close());

async function visitor(
  demo: Parameters<typeof certificateCredential>[0],
  more: Partial<WalkOptions> = {},
): Promise<Walk> {
  const link = { credential: await certificateCredential(demo) };
  return walk({ simulators, institution: siEdi, link, now: () => now, ...more });
}

async function rows(suffix: string, params: JsonObject = {}): Promise<JsonObject[]> {
  const { data } = await corporation.run(of(suffix), params);
  expect(data.row_count).toBe((data.items as JsonObject[]).length);
  return data.items as JsonObject[];
}

describe('lists', () => {
  it.each([
    ['faqs', 10],
    ['forms', 10],
    ['notices.institutions', 10],
  ])('%s: D81 ten rows a page, R48 the first unless told otherwise', async (board, count) => {
    const first = await rows(`${board}.list`);
    expect(first).toHaveLength(count);
    expect(first).toEqual(await rows(`${board}.list`, { current_page_no: 1 }));
    const second = await rows(`${board}.list`, { current_page_no: 2 });
    expect(second.map(({ row_key }) => row_key)).not.toContain(first[0]?.row_key);
  });

  it('a page beyond the last one is empty (D36, R45)', async () => {
    expect(await rows('faqs.list', { current_page_no: 99 })).toEqual([]);
    expect(await rows('notices.institutions.list', { srch_txt: '없는 말' })).toEqual([]);
  });

  it('query is srch_txt by another name, also on an EUC-KR page (R48, D35)', async () => {
    const found = await rows('notices.institutions.list', { srch_txt: '점검' });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ title }) => String(title).includes('점검'))).toBe(true);
    expect(await rows('notices.institutions.list', { query: '점검' })).toEqual(found);
  });

  it('echoes what was sent, and no token', async () => {
    const { data } = await corporation.run(of('forms.list'), { srch_insu_cd: 'EI' });
    expect(data.query).toEqual({
      currentPageNo: '1',
      srchInsuCd: 'EI',
      srchJobCd: '',
      srchPubapCd: '',
      srchTxt: '',
    });
  });

  it('a code that the portal does not know is a refused parameter', async () => {
    const failure = corporation.run(of('forms.list'), { srch_insu_cd: 'XX' });
    await expect(failure).rejects.toMatchObject({
      code: 'PROVIDER_VALIDATION_ERROR',
      details: { providerErrorRef: 'si_edi:E4001', message: '보험구분 값이 올바르지 않습니다.' },
    });
  });
});

describe('start pages', () => {
  it.each([
    ['faqs', 7],
    ['forms', 5],
    ['notices.institutions', 4],
  ])('D81 %s', async (board, count) => {
    const { data } = await corporation.run(of(`${board}.list_init`));
    expect(data).toMatchObject({
      page: board,
      semantic_field_count: count,
      csrf_token_present: true,
      target_ready: true,
    });
    expect(data.forms).toContainEqual(expect.objectContaining({ method: 'POST' }));
    expect(data.fields).toHaveLength(count);
    expect(JSON.stringify(data.fields)).not.toContain('_csrf');
  });
});

describe('posts', () => {
  it('reads a question', async () => {
    const [row] = await rows('faqs.list');
    const { data } = await corporation.run(of('faqs.detail'), { qstn_sn: row?.qstn_sn });
    expect(data.detail).toMatchObject({ title: row?.title, writer: '고객센터', attachments: [] });
    expect(data).toMatchObject({ submitted_payload: { qstnSn: row?.qstn_sn } });
  });

  it('reads a form with its files', async () => {
    const [row] = await rows('forms.list');
    const post = { bbs_id: row?.bbs_id, pst_sn: row?.pst_sn };
    const { data } = await corporation.run(of('forms.detail'), post);
    const [file] = (data.detail as { attachments: JsonObject[] }).attachments;
    const listed = await corporation.run(of('forms.attachments'), {
      ...post,
      atfl_id: file?.atfl_id,
    });
    expect(listed.data).toMatchObject({ file_count: 2 });
    expect(listed.data.files).toMatchObject([{ file_name: file?.file_name }, {}]);
  });

  it('a form without files, and reads a notice (R45)', async () => {
    const found = await rows('notices.institutions.list');
    for (const { pst_sn, title } of found.slice(0, 2)) {
      const { data } = await corporation.run(of('notices.institutions.detail'), { pst_sn });
      expect(data.detail).toMatchObject({ title });
      const files = await corporation.run(of('notices.institutions.attachments'), { pst_sn });
      expect(files.data.file_count).toBe((files.data.files as unknown[]).length);
    }
  });

  it('a post and its files have exactly the decided fields, and keys that open them (D81)', async () => {
    const [row] = await rows('forms.list');
    expect(row?.row_key).toBe([row?.bbs_id, row?.pst_sn].join(':'));
    const [question] = await rows('faqs.list');
    expect(question).toMatchObject({ row_index: 1, row_key: question?.qstn_sn });
    const post = { bbs_id: row?.bbs_id, pst_sn: row?.pst_sn };
    const { data } = await corporation.run(of('forms.detail'), post);
    const detail = data.detail as JsonObject & { attachments: JsonObject[] };
    expect(Object.keys(detail)).toEqual([
      'title',
      'category',
      'writer',
      'registered_on',
      'view_count',
      'body_text',
      'body_html',
      'attachments',
    ]);
    const atfl_id = detail.attachments[0]?.atfl_id;
    const listed = await corporation.run(of('forms.attachments'), { ...post, atfl_id });
    for (const file of [...detail.attachments, ...(listed.data.files as JsonObject[])]) {
      expect(Object.keys(file)).toEqual([
        'row_index',
        'row_key',
        'atfl_id',
        'atch_file_sn',
        'file_name',
        'size_text',
        'content_type',
      ]);
      expect(file.row_key).toBe([file.atfl_id, file.atch_file_sn].join(':'));
    }
  });

  it('body_html is the markup that the portal sent, character by character (D154)', async () => {
    const sent =
      "\r\n<P Class=Notice ALIGN='left'>제출 &amp; 확인&nbsp;&#54620;<BR>둘째 줄<!-- 편집기 -->" +
      '<p>닫지 않은 문단 <FONT color=red>붉은</font >\r\n\t<img src=a.gif ALT="가>나"/>&copy 끝 \n';
    const http = changedHttp((response) => {
      const html = response.text();
      const posted = html.replace(/(<div class="view_cont">)[\s\S]*?(<\/div>)/, `$1${sent}$2`);
      return posted === html ? response : withText(response, posted);
    });
    const { run } = await visitor(demoCertificates.soleProprietor, { http });
    await run(LOGIN);
    const { data } = await run(of('faqs.list'));
    const [{ qstn_sn } = {}] = data.items as JsonObject[];
    const { detail } = (await run(of('faqs.detail'), { qstn_sn })).data as { detail: JsonObject };
    expect(detail.body_html).toBe(sent);
    expect(detail.body_text).toContain('제출 & 확인 한');
  });

  it('a post that is not there is a refused parameter', async () => {
    const failure = corporation.run(of('faqs.detail'), { qstn_sn: 'Q999999' });
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
  });
});

describe('files', () => {
  async function someFile(): Promise<JsonObject> {
    const [row] = await rows('forms.list');
    const post = { bbs_id: row?.bbs_id, pst_sn: row?.pst_sn };
    const { data } = await corporation.run(of('forms.detail'), post);
    const file = (data.detail as { attachments: JsonObject[] }).attachments.at(-1);
    return { atfl_id: file?.atfl_id, atch_file_sn: file?.atch_file_sn };
  }

  it('looks only, unless told to download (R46, D81, D82)', async () => {
    const { call, data } = await corporation.run(of('files.download'), await someFile());
    expect(data).toMatchObject({
      dry_run: true,
      downloaded: false,
      exists: true,
      exists_response: { exist_yn: 'Y' },
      base64: null,
      bytes_len: null,
    });
    expect(Object.keys(data).join()).toBe(
      'success,dry_run,downloaded,atfl_id,atch_file_sn,exists,exists_response,download_url,file_name,content_type,bytes_len,base64',
    );
    expect(call.files).toEqual([]);
  });

  it('downloads into an artifact with the Korean name of the portal (R47, D82)', async () => {
    const file = await someFile();
    const params = { ...file, atch_file_sn: Number(file.atch_file_sn), dry_run: false };
    const { call, data } = await corporation.run(of('files.download'), params);
    expect(data.file_name).toMatch(/^[가-힣]+보험_.*_작성예시\.pdf$|^국민연금_.*\.pdf$/);
    expect(data).toMatchObject({ downloaded: true, base64: null, atch_file_sn: '2' });
    expect(call.files).toHaveLength(1);
    const bytes = Buffer.from(call.files[0]?.bytes as Uint8Array);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(data.bytes_len).toBe(bytes.length);
    const withBody = await corporation.run(of('files.download'), {
      ...params,
      include_base64: true,
    });
    expect(Buffer.from(String(withBody.data.base64), 'base64').equals(bytes)).toBe(true);
  });

  it('a file that is not there is an answer', async () => {
    const params = { atfl_id: 'ATFL000000000000', atch_file_sn: '1', dry_run: false };
    const { data } = await corporation.run(of('files.download'), params);
    expect(data).toMatchObject({ exists: false, downloaded: false, file_name: null });
  });
});

describe('sessions', () => {
  it('without a login: AUTH_REQUIRED (R52)', async () => {
    const { run } = await visitor(demoCertificates.corporation);
    await expect(run(of('faqs.list'))).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  });

  it('a second login ends the first (D80)', async () => {
    const first = await visitor(demoCertificates.soleProprietor);
    await first.run(LOGIN);
    await (await visitor(demoCertificates.soleProprietor)).run(LOGIN);
    const failure = first.run(of('faqs.list'));
    await expect(failure).rejects.toMatchObject({
      code: 'PROVIDER_SESSION_EXPIRED',
      details: { providerErrorRef: 'si_edi:S0003' },
    });
    expect(first.session.state).toBeNull();
  });

  it('a login needs a certificate', async () => {
    const { run } = walk({ simulators, institution: siEdi, link: null, now: () => now });
    await expect(run(LOGIN)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });

  it.each(LOGIN_ENDINGS)('…%s ends the login in %s (D142)', async (ending, code) => {
    const { run } = await visitor(demoCertificates.magic[ending]);
    await expect(run(LOGIN)).rejects.toMatchObject({ code });
  });

  it.each(DATA_ENDINGS)('…%s ends whatever asks for data in %s (D142)', async (ending, code) => {
    const post = { qstn_sn: 'Q000001', bbs_id: 'B01', pst_sn: '20260031' };
    const params = { ...post, atfl_id: 'F000001', atch_file_sn: 1 };
    const actions = Object.keys(siEdi.connectors).filter((action) => action !== LOGIN);
    expect(actions).toHaveLength(12);
    for (const action of actions) {
      const { run } = await visitor(demoCertificates.magic[ending]);
      await run(LOGIN);
      await expect(run(action, params), action).rejects.toMatchObject({ code });
    }
  });

  it('…0200 has lists without rows (D142, R45)', async () => {
    const { run } = await visitor(demoCertificates.magic['0200']);
    await run(LOGIN);
    expect((await run(of('faqs.list'))).data).toMatchObject({ row_count: 0, items: [] });
  });
});
