import { describe, expect, it } from 'vitest';
import { demoCertificates, demoMembers } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { certificateLogin, labelled, useStage } from './stage.ts';

const stage = useStage();
const { corporation, individual, agency } = demoCertificates;
const workplace = `${demoMembers.corporation.businessNumber}0`;

const message = (browser: Browser): string => browser.view.$('.error_wrap .txt').text();

describe('employment login', () => {
  it('R50: a general business logs in with its workplace number', async () => {
    const browser = stage.browser('employment');
    await certificateLogin(browser, 'employment', corporation, { bizMngNo: workplace });
    expect(browser.view.location).toBe('/main/main.do');
    await browser.follow();
    expect(browser.cookieCount).toBe(3);
    expect(browser.view.$('meta[name="_csrf"]').attr('content')).toMatch(/^[0-9a-f]{32}$/);
    expect(labelled(browser, 'table.tbl_view')).toEqual({
      사업장명: '주식회사 창구데모',
      사업자등록번호: '999-81-41001',
      사업장관리번호: '999-81-41001-0',
      회원구분: '기업회원(BE904)',
      대행기관번호: '',
    });
  });

  it('R50: an agency needs its number', async () => {
    const browser = stage.browser('employment');
    await certificateLogin(browser, 'employment', agency, { mbrTpCd: 'BE902' });
    expect(message(browser)).toBe('사무대행기관번호를 입력하여 주십시오.');
    await certificateLogin(browser, 'employment', agency, { mbrTpCd: 'BE902', isoaNo: '1' });
    expect(message(browser)).toBe('사무대행기관 정보가 일치하지 않습니다.');
    await certificateLogin(browser, 'employment', agency, {
      mbrTpCd: 'BE902',
      isoaNo: demoMembers.agency.agencyNumber,
      bizMngNo: workplace,
    });
    await browser.follow();
    expect(labelled(browser, 'table.tbl_view')).toMatchObject({
      회원구분: '사무대행기관(BE902)',
      대행기관번호: demoMembers.agency.agencyNumber,
      사업장관리번호: '999-81-41001-0',
    });
  });

  it.each([
    [{ bizMngNo: '12345678910' }, '사업장관리번호가 올바르지 않습니다.'],
    [{ bizMngNo: '123' }, '사업장관리번호가 올바르지 않습니다.'],
    [{ bizrNo: '1234567891' }, '사업자등록번호가 인증서와 일치하지 않습니다.'],
    [{ mbrTpCd: 'BE999' }, '회원구분이 올바르지 않습니다.'],
    [{ mbrTpCd: 'constructor' }, '회원구분이 올바르지 않습니다.'],
    [{ mbrTpCd: 'BE902', isoaNo: '30012345' }, '사무대행기관 정보가 일치하지 않습니다.'],
  ])('refuses %j', async (fields, text) => {
    const browser = stage.browser('employment');
    await certificateLogin(browser, 'employment', corporation, fields);
    expect(message(browser)).toBe(text);
  });

  it('a person without a business is not a member', async () => {
    const browser = stage.browser('employment');
    await certificateLogin(browser, 'employment', individual);
    expect(message(browser)).toBe('기업회원으로 등록되지 않은 인증서입니다.');
  });
});

describe('session status', () => {
  it('tells who is logged in until when', async () => {
    const browser = stage.browser('employment');
    await certificateLogin(browser, 'employment', corporation);
    stage.now += 5 * 60_000;
    await browser.get('/mypage/sessionInfo.do');
    expect(labelled(browser, 'table.tbl_view')).toMatchObject({
      로그인상태: '로그인',
      로그인방식: '공동인증서',
      로그인일시: '2026-11-20 14:00:00',
      세션만료예정: '2026-11-20 14:25:00',
    });
  });

  it.each([
    ['no session', 'none', '로그인이 필요한 서비스입니다.'],
    ['a session that idled out', 'expired', '로그인 세션이 만료되었습니다.'],
  ])('sends a browser with %s to the explaining page', async (_, type, text) => {
    const browser = stage.browser('employment');
    if (type === 'expired') {
      await certificateLogin(browser, 'employment', corporation);
      stage.now += 21 * 60_000;
    }
    await browser.get('/mypage/sessionInfo.do');
    expect(browser.view.status).toBe(302);
    expect(browser.view.location).toBe(`/sessionOut.do?type=${type}`);
    await browser.follow();
    expect(message(browser)).toContain(text);
  });

  it('after a logout there is no session', async () => {
    const browser = stage.browser('employment');
    await certificateLogin(browser, 'employment', corporation);
    await browser.follow();
    await browser.submit('#logoutForm');
    await browser.get('/mypage/sessionInfo.do');
    expect(browser.view.location).toBe('/sessionOut.do?type=none');
  });
});
