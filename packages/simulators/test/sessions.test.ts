import { describe, expect, it } from 'vitest';
import { demoCertificates, demoMembers } from '../src/index.ts';
import { demoAsk, inquire } from './quick-inquiry.ts';
import { certificateLogin, Stage, useStage } from './stage.ts';

const stage = useStage();
const MINUTE = 60_000;

async function taxLogin(
  browser: ReturnType<Stage['browser']>,
  userId: string = demoMembers.corporation.loginId,
  userPw: string = demoMembers.corporation.loginPassword,
): Promise<void> {
  await browser.get('/login');
  await browser.submit('#idLoginForm', { userId, userPw });
}

describe('sessions', () => {
  it('a page for members wants a login first', async () => {
    const browser = stage.browser('tax_portal');
    await browser.get('/user/info');
    expect(browser.view.$('#alertMessage').text()).toBe('로그인이 필요한 서비스입니다.');
  });

  it('a session idles out after 20 minutes of the business clock', async () => {
    const browser = stage.browser('tax_portal');
    await taxLogin(browser);
    stage.now += 19 * MINUTE;
    expect((await browser.get('/user/info')).html).toContain('사용자명');
    stage.now += 21 * MINUTE;
    expect((await browser.get('/user/info')).html).toContain('로그인 세션이 만료되었습니다.');
  });

  it('a second login ends the first, which is told so', async () => {
    const [first, second] = [stage.browser('tax_portal'), stage.browser('tax_portal')];
    await taxLogin(first);
    await taxLogin(second);
    expect((await first.get('/user/info')).html).toContain('다른 기기에서 로그인하여');
    expect((await second.get('/user/info')).html).toContain('사용자명');
  });

  it('a second login with the same certificate ends the first', async () => {
    const [first, second] = [stage.browser('si_edi'), stage.browser('si_edi')];
    await certificateLogin(first, 'si_edi', demoCertificates.corporation);
    await certificateLogin(second, 'si_edi', demoCertificates.corporation);
    await first.get('/faq/selectFaqInit.do');
    expect(first.view.location).toBe('/sessionOut.do?type=dup');
    expect((await first.follow()).$('.error_wrap .txt').text()).toContain('다른 기기에서');
  });

  it('a second quick inquiry of the same account ends the first, of another account not', async () => {
    const [first, second, other] = [1, 2, 3].map(() => stage.browser('bank_d'));
    if (!first || !second || !other) throw new Error('three browsers');
    await inquire(first, 'bank_d', demoAsk('bank_d'));
    await inquire(other, 'bank_d', {
      ...demoAsk('bank_d'),
      accountNo: '40277788012',
      password: '1234',
    });
    expect((await first.get('/inquiry/result?p=2')).html).toContain('tx_list');
    await inquire(second, 'bank_d', demoAsk('bank_d'));
    expect((await first.get('/inquiry/result?p=2')).html).toContain('다른 기기에서');
  });

  it('a restart of the portals ends every session', async () => {
    const restarted = new Stage();
    await restarted.start();
    const browser = restarted.browser('tax_portal');
    await taxLogin(browser);
    await restarted.control('/reset', {});
    expect((await browser.get('/user/info')).html).toContain('로그인 세션이 만료되었습니다.');
    await restarted.simulators.close();
  });

  it('a form without the token of its session is refused', async () => {
    const browser = stage.browser('tax_portal');
    await browser.get('/login');
    const { loginId: userId, loginPassword: userPw } = demoMembers.corporation;
    expect((await browser.post('/login/id', { userId, userPw })).status).toBe(403);
    expect((await browser.post('/login/id', { csrfToken: 'x', userId, userPw })).status).toBe(403);
    expect(browser.view.html).toContain('비정상적인 접근입니다.');
  });
});

describe('passwords', () => {
  it('five wrong tries lock the login, and a right one before that forgives', async () => {
    const browser = stage.browser('tax_portal');
    await taxLogin(browser, demoMembers.corporation.loginId, 'wrong');
    expect(browser.view.html).toContain('비밀번호가 일치하지 않습니다. (1/5회)');
    await taxLogin(browser);
    expect(browser.view.status).toBe(303);
    for (const count of [1, 2, 3, 4]) {
      await taxLogin(browser, demoMembers.corporation.loginId, 'wrong');
      expect(browser.view.html).toContain(`(${count}/5회)`);
    }
    await taxLogin(browser, demoMembers.corporation.loginId, 'wrong');
    expect(browser.view.html).toContain('비밀번호 5회 오류');
    await taxLogin(browser);
    expect(browser.view.html).toContain('비밀번호 5회 오류');
  });

  it('five wrong account passwords lock the account', async () => {
    const browser = stage.browser('bank_a');
    for (let count = 0; count < 5; count += 1) {
      await inquire(browser, 'bank_a', { ...demoAsk('bank_a'), password: '0000' });
    }
    await inquire(browser, 'bank_a', demoAsk('bank_a'));
    expect(browser.view.html).toContain('비밀번호 5회 오류');
    await stage.control('/reset', {});
    await inquire(browser, 'bank_a', demoAsk('bank_a'));
    expect(browser.view.html).toContain('계좌잔액');
  });
});

describe('certificates', () => {
  it.each([
    ['expired', '인증서의 유효기간이 만료되었습니다.'],
    ['unregistered', '등록되지 않은 인증서입니다.'],
    ['untrusted', '신뢰할 수 없는 인증기관의 인증서입니다.'],
  ] as const)('a certificate that is %s is refused', async (name, text) => {
    const browser = stage.browser('bank_a');
    await certificateLogin(browser, 'bank_a', demoCertificates[name]);
    expect(browser.view.html).toContain(text);
  });

  it('a signature by another key is refused', async () => {
    const browser = stage.browser('bank_a');
    await certificateLogin(browser, 'bank_a', {
      ...demoCertificates.corporation,
      encryptedKeyDer: demoCertificates.individual.encryptedKeyDer,
    });
    expect(browser.view.html).toContain('전자서명 검증에 실패하였습니다.');
  });

  it('a nonce works once and for three minutes', async () => {
    const browser = stage.browser('bank_a');
    await browser.get('/login');
    const page = browser.view;
    await certificateLogin(browser, 'bank_a', demoCertificates.corporation, {
      challenge: page.$('input[name="challenge"]').attr('value') ?? '',
    });
    expect(browser.view.html).toContain('로그인 유효시간이 지났습니다.');
    const clock = stage.now;
    await browser.get('/login');
    stage.now = clock + 4 * MINUTE;
    await browser.submit('#certLoginForm');
    expect(browser.view.html).toContain('로그인 유효시간이 지났습니다.');
  });

  it('the tax portal checks the random number of the key when it is sent', async () => {
    const browser = stage.browser('tax_portal');
    const { corporation } = demoCertificates;
    await certificateLogin(browser, 'tax_portal', corporation, {
      randomEnc: Buffer.alloc(20).toString('base64'),
    });
    expect(browser.view.html).toContain('본인확인 정보가 일치하지 않습니다.');
    await certificateLogin(browser, 'tax_portal', corporation, {
      randomEnc: corporation.randomVid?.toString('base64') ?? '',
    });
    expect(browser.view.status).toBe(303);
  });
});
