import { describe, expect, it } from 'vitest';
import type { Bank, MagicEnding, Provider } from '../src/index.ts';
import { demoCertificates, UNLISTED_LOGIN_PASSWORD } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { inquire, readHistory, unlistedAsk } from './quick-inquiry.ts';
import { certificateLogin, useStage } from './stage.ts';

const stage = useStage();
const BANKS: readonly Bank[] = ['bank_a', 'bank_b', 'bank_c', 'bank_d'];
const HISTORY_BANKS = ['bank_b', 'bank_c', 'bank_d'] as const;
const PUBLIC: readonly Provider[] = ['employment', 'si_edi', 'tax_portal'];

async function quick(bank: Bank, ending: MagicEnding): Promise<Browser> {
  const browser = stage.browser(bank);
  await inquire(browser, bank, unlistedAsk(`7712345${ending}`));
  return browser;
}

/** Logs in with the magic certificate and goes to the first page after it, if the login let it. */
async function enter(provider: Provider, ending: MagicEnding): Promise<Browser> {
  const browser = stage.browser(provider);
  await certificateLogin(browser, provider, demoCertificates.magic[ending]);
  while (browser.view.location !== null) await browser.follow();
  return browser;
}

/** Where the page after the login is not data yet: pages that are, each by a GET. */
const DATA_PAGES: Partial<Record<Provider, readonly string[]>> = {
  employment: ['/main/main.do', '/mypage/sessionInfo.do'],
  tax_portal: ['/user/info', '/certificates/list', '/sales/credit-card'],
  si_edi: ['/wbiz/main.do', '/faq/selectFaqInit.do', '/notice/selectNoticeInit.do'],
};

/** Logs in and asks for data at each of the portal's pages, in a session of its own. */
async function dataPages(provider: Provider, ending: MagicEnding): Promise<Browser[]> {
  const pages: Browser[] = [];
  for (const path of DATA_PAGES[provider] ?? [null]) {
    const browser = await enter(provider, ending);
    if (path !== null) {
      expect(browser.view.html).toContain('</html>');
      await browser.get(path);
      while (browser.view.location !== null) await browser.follow();
    }
    pages.push(browser);
  }
  return pages;
}

describe.each(BANKS)('quick inquiry at %s', (bank) => {
  it('0401 wrong password, however often', async () => {
    for (let count = 0; count < 7; count += 1) {
      const { view } = await quick(bank, '0401');
      expect(view.html).toContain('비밀번호가 일치하지 않습니다.');
      expect(view.html).not.toContain('5회');
    }
  });

  it('0423 locked', async () => {
    expect((await quick(bank, '0423')).view.html).toContain('비밀번호 5회 오류');
  });

  it('0503 maintenance', async () => {
    const { view } = await quick(bank, '0503');
    expect(view.status).toBe(503);
    expect(view.html).toContain('시스템 점검');
  });

  it('0504 busy for ever', async () => {
    const browser = await quick(bank, '0504');
    for (let count = 0; count < 3; count += 1) {
      const target = /url=(.*)/.exec(
        browser.view.$('meta[http-equiv=refresh]').attr('content') ?? '',
      );
      expect(browser.view.html).toContain('잠시만 기다려 주십시오');
      await browser.get(target?.[1] ?? '');
    }
    expect(browser.view.html).toContain('잠시만 기다려 주십시오');
  });

  it('0520 the page breaks off', async () => {
    const { view } = await quick(bank, '0520');
    expect(view.status).toBe(200);
    expect(view.html).not.toContain('</html>');
    expect(view.html).toMatch(/<\w+$/);
  });

  it('0402 a refused parameter', async () => {
    expect((await quick(bank, '0402')).view.html).toContain(
      '입력하신 조회조건이 올바르지 않습니다.',
    );
  });

  it.each([
    ['0440', '로그인 세션이 만료되었습니다.'],
    ['0409', '다른 기기에서 로그인하여'],
  ] as const)('%s the session ends on a single page', async (ending, text) => {
    const browser = stage.browser(bank);
    await inquire(browser, bank, { ...unlistedAsk(`7712345${ending}`), from: '20261120' });
    expect(browser.view.html).toContain(text);
  });
});

describe.each(HISTORY_BANKS)('history at %s', (bank) => {
  it('0200 is empty', async () => {
    const browser = await quick(bank, '0200');
    expect(browser.view.html).toContain('조회된 내역이 없습니다.');
    expect(await readHistory(browser, bank)).toMatchObject({
      rows: [],
      pages: 1,
      opening: 0,
      closing: 0,
      count: 0,
    });
  });

  it.each([
    ['0440', '로그인 세션이 만료되었습니다.'],
    ['0409', '다른 기기에서 로그인하여'],
  ] as const)('%s the first page is there, the second is not', async (ending, text) => {
    const browser = await quick(bank, ending);
    expect(browser.view.html).toMatch(/이월잔액|시작 잔액/);
    expect((await readHistory(browser, bank)).rows).toHaveLength(10);
    expect(browser.view.html).toContain(text);
  });
});

it('bank_a 0200 has no money', async () => {
  expect((await quick('bank_a', '0200')).view.html).toContain('<td>0원</td>');
});

describe.each([...PUBLIC, ...BANKS])('certificate login at %s', (provider) => {
  it('0401 is not the registered certificate', async () => {
    const { view } = await enter(provider, '0401');
    expect(view.html).toContain('등록된 인증서 정보와 일치하지 않습니다.');
  });

  it('0423 locked, 0503 maintenance', async () => {
    expect((await enter(provider, '0423')).view.html).toContain('비밀번호 5회 오류');
    expect((await enter(provider, '0503')).view.status).toBe(503);
  });

  it('0504 is busy from the login on', async () => {
    expect((await enter(provider, '0504')).view.html).toContain('잠시만 기다려 주십시오');
  });

  it.each([
    ['0440', '로그인 세션이 만료되었습니다.'],
    ['0409', '다른 기기에서 로그인하여'],
    ['0402', '올바르지 않습니다.'],
  ] as const)('%s shows wherever data is asked for first', async (ending, text) => {
    for (const { view } of await dataPages(provider, ending)) expect(view.html).toContain(text);
  });

  it('0520 the page breaks off wherever data is asked for', async () => {
    for (const { view } of await dataPages(provider, '0520')) {
      expect(view.html).not.toContain('</html>');
    }
  });
});

it.each(BANKS)('0200 at %s: the account list is empty', async (bank) => {
  expect((await enter(bank, '0200')).view.html).toContain('조회된 내역이 없습니다.');
});

it('login ids are magic too', async () => {
  const login = async (userId: string): Promise<Browser> => {
    const browser = stage.browser('tax_portal');
    await browser.get('/login');
    await browser.submit('#idLoginForm', { userId, userPw: UNLISTED_LOGIN_PASSWORD });
    return browser;
  };
  expect((await login('user0401')).view.html).toContain('비밀번호가 일치하지 않습니다.');
  expect((await login('user0423')).view.html).toContain('비밀번호 5회 오류');
  expect((await login('user0503')).view.status).toBe(503);
  const empty = await login('user0200');
  await empty.get('/certificates/list');
  expect(empty.view.$('.nodata')).toHaveLength(1);
});
