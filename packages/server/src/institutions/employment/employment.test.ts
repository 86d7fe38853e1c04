import { loadCatalogue, markUntrusted } from '@changgu/contract/catalogue';
import {
  demoCertificates,
  demoMembers,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedHttp, withText } from '../testing/changed-http.ts';
import { certificateCredential, passwordCredential } from '../testing/fake-call.ts';
import { DATA_ENDINGS, LOGIN_ENDINGS } from '../testing/magic-endings.ts';
import { type Walk, walk } from '../testing/portal-walk.ts';
import { employment } from './employment.ts';

const LOGIN = 'employment.auth.npki_session.login';
const STATUS = 'employment.auth.session.status';
const NUMBER = demoMembers.corporation.businessNumber;

let now = Date.parse('2026-11-21T12:00:00+09:00');
let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => now });
});
afterAll(() => simulators.close());

async function visitor(
  demo: Parameters<typeof certificateCredential>[0],
  http = changedHttp((response) => response),
): Promise<Walk> {
  const link = { credential: await certificateCredential(demo) };
  return walk({ simulators, institution: employment, link, now: () => now, http });
}

describe('login at the employment portal', () => {
  it('keeps a whole session of a business member (R50, R51, D77)', async () => {
    const { run } = await visitor(demoCertificates.corporation);
    const { data } = await run(LOGIN, { business_management_no: `${NUMBER}0` });
    expect(data).toEqual({
      success: true,
      authenticated: true,
      cookie_count: 3,
      auth_method: 'npki_cms',
      auth_material_ready: true,
      missing_auth_material_keys: [],
      business_registration_no: NUMBER,
      business_management_no: `${NUMBER}0`,
      business_management_no_hyphenated: `${NUMBER}0`.replace(
        /(\d{3})(\d{2})(\d{5})(\d)/,
        '$1-$2-$3-$4',
      ),
      member_type_code: 'BE904',
      session_generation: 'new',
    });
  });

  it('an agency logs in with its number (R50)', async () => {
    const { run } = await visitor(demoCertificates.agency);
    const params = { member_type_code: 'BE902', isoa_no: demoMembers.agency.agencyNumber };
    expect((await run(LOGIN, params)).data.member_type_code).toBe('BE902');
  });

  it('takes what is left out from the selection of the link', async () => {
    const credential = await certificateCredential(demoCertificates.corporation);
    const link = { credential, selectedAssets: { business_management_no: `${NUMBER}7` } };
    const { run } = walk({ simulators, institution: employment, link, now: () => now });
    expect((await run(LOGIN)).data.business_management_no).toBe(`${NUMBER}7`);
  });

  it('an agency may have its type and number in the selection of the link (D104, D162)', async () => {
    const credential = await certificateCredential(demoCertificates.agency);
    const selectedAssets = { member_type_code: 'BE902', isoa_no: demoMembers.agency.agencyNumber };
    const link = { credential, selectedAssets };
    const { run } = walk({ simulators, institution: employment, link, now: () => now });
    const { call, data } = await run(LOGIN);
    expect(data.member_type_code).toBe('BE902');
    expect(call.requests.at(-1)?.form).toMatchObject({
      mbrTpCd: 'BE902',
      isoaNo: demoMembers.agency.agencyNumber,
    });
  });

  it('a parameter wins over the selection of the link (D104)', async () => {
    const credential = await certificateCredential(demoCertificates.corporation);
    const selectedAssets = { member_type_code: 'BE902', isoa_no: '7' };
    const link = { credential, selectedAssets };
    const { run } = walk({ simulators, institution: employment, link, now: () => now });
    const { call, data } = await run(LOGIN, { member_type_code: 'BE904' });
    expect(data.member_type_code).toBe('BE904');
    expect(call.requests.at(-1)?.form).toMatchObject({ mbrTpCd: 'BE904', isoaNo: '' });
  });

  it('an agency without a number is refused before the portal is asked (D79)', async () => {
    const credential = await certificateCredential(demoCertificates.agency);
    const link = { credential, selectedAssets: { member_type_code: 'BE902' } };
    const paths: string[] = [];
    const http = changedHttp((response, { path }) => {
      paths.push(path);
      return response;
    });
    const { run } = walk({ simulators, institution: employment, link, now: () => now, http });
    await expect(run(LOGIN)).rejects.toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
    expect(paths).toEqual([]);
  });

  it.each([
    ['no link', null],
    ['no certificate', { credential: passwordCredential('gildong', 'x') }],
  ])('D79 %s is a failed login', async (_, link) => {
    const { run } = walk({ simulators, institution: employment, link, now: () => now });
    await expect(run(LOGIN)).rejects.toMatchObject({ code: 'EMPLOYMENT_LOGIN_FAILED' });
  });

  it('so is a certificate without membership (D79)', async () => {
    const { run } = await visitor(demoCertificates.unregistered);
    await expect(run(LOGIN)).rejects.toMatchObject({
      code: 'EMPLOYMENT_LOGIN_FAILED',
      details: { providerErrorRef: 'employment:E1104', upstreamStatus: 200 },
    });
  });

  it.each(['expired', 'untrusted'] as const)('an %s certificate is rejected', async (name) => {
    const { run } = await visitor(demoCertificates[name]);
    await expect(run(LOGIN)).rejects.toMatchObject({ code: 'PROVIDER_CREDENTIAL_REJECTED' });
  });

  it('a session that cannot be kept has its own code (D52)', async () => {
    const { run, session } = await visitor(demoCertificates.corporation);
    session.save = () => Promise.reject(new Error('the disk is full'));
    await expect(run(LOGIN)).rejects.toMatchObject({ code: 'EMPLOYMENT_SESSION_SAVE_FAILED' });
  });

  it.each(LOGIN_ENDINGS)('…%s ends a login in %s (D142)', async (ending, code) => {
    const { run, session } = await visitor(demoCertificates.magic[ending]);
    await expect(run(LOGIN)).rejects.toMatchObject({ code });
    expect(session.state).toBeNull();
  });
});

describe('session status', () => {
  it('without a session (R49)', async () => {
    const { run } = walk({ simulators, institution: employment, link: null, now: () => now });
    const { call, data } = await run(STATUS);
    expect(data).toMatchObject({ exists: false, authenticated: false, cookie_count: 0 });
    expect(call.requests).toEqual([]);
  });

  it('names what a session is made of, and not a value of it (D78)', async () => {
    const { run, session } = await visitor(demoCertificates.corporation);
    await run(LOGIN);
    const { data } = await run(STATUS);
    expect(data).toMatchObject({
      exists: true,
      authenticated: true,
      ready: true,
      missing_keys: [],
      flow_origin: LOGIN,
      login_check: '로그인',
    });
    expect(JSON.stringify(data)).not.toContain(session.state?.csrf_token);
    // Names that the schema lacks would be marked for models.
    const { actions } = await loadCatalogue();
    const { keys } = markUntrusted(data, actions.get(STATUS)?.result) as typeof data;
    expect(keys).toEqual(data.keys);
    expect(data.keys).toHaveProperty('member_type_cookie', true);
  });

  it.each([
    ['its login page', 200, '<html><form id="certLoginForm"></form></html>'],
    ['a bare 401', 401, ''],
  ])('tells when the portal answers %s (D80)', async (_, status, text) => {
    const http = changedHttp((response, { path }) =>
      path === '/mypage/sessionInfo.do' ? { ...withText(response, text), status } : response,
    );
    const { run, session } = await visitor(demoCertificates.corporation, http);
    await run(LOGIN);
    expect((await run(STATUS)).data).toMatchObject({ exists: true, authenticated: false });
    expect(session.state).toBeNull();
  });

  it('tells when the portal has ended it, and forgets it (D80)', async () => {
    const { run, session } = await visitor(demoCertificates.corporation);
    await run(LOGIN);
    now += 21 * 60_000;
    expect((await run(STATUS)).data).toMatchObject({ exists: true, authenticated: false });
    expect(session.state).toBeNull();
    expect((await run(STATUS)).data).toMatchObject({ exists: false });
  });

  it.each(DATA_ENDINGS.filter(([, code]) => code !== 'PROVIDER_SESSION_EXPIRED'))(
    '…%s lets the login pass and ends the status in %s (D142)',
    async (ending, code) => {
      const { run } = await visitor(demoCertificates.magic[ending]);
      await run(LOGIN);
      await expect(run(STATUS)).rejects.toMatchObject({ code });
    },
  );

  it.each(['0440', '0409'] as const)(
    '…%s lets the login pass, and the status tells of the end (D142)',
    async (ending) => {
      const { run, session } = await visitor(demoCertificates.magic[ending]);
      await run(LOGIN);
      expect((await run(STATUS)).data).toMatchObject({ exists: true, authenticated: false });
      expect(session.state).toBeNull();
    },
  );
});
