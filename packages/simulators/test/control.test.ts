import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { demoCertificates, demoMembers, SITES } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { demoAsk, inquire, readHistory, unlistedAsk } from './quick-inquiry.ts';
import { certificateLogin, START, Stage, useStage } from './stage.ts';

const stage = useStage();
const HOUR = 3_600_000;

async function statuses(browser: Browser, count: number): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await browser.get('/login')).status);
  return seen;
}

describe('state', () => {
  it('lists the portals', async () => {
    const { body } = await stage.control('/');
    expect(Object.keys(body ?? {}).sort()).toEqual([...SITES].sort());
    expect(body).toMatchObject({
      bank_b: { url: stage.simulators.urls.bank_b, state: 'HEALTHY', hostile: null },
    });
  });

  it('DOWN answers 503 from the gateway until the given time', async () => {
    await stage.control('/bank_a/state', {
      state: 'DOWN',
      until: new Date(START + HOUR).toISOString(),
    });
    const browser = stage.browser('bank_a');
    const view = await browser.get('/login');
    expect(view.status).toBe(503);
    expect(view.html).toContain('nginx');
    expect(view.html).not.toContain('점검');
    expect((await stage.browser('bank_d').get('/login')).status).toBe(200);
    stage.now += HOUR;
    expect((await browser.get('/login')).status).toBe(200);
  });

  it('DEGRADED fails a share of the requests, the same ones every time', async () => {
    const run = async (): Promise<number[]> => {
      await stage.control('/bank_a/state', { state: 'DEGRADED', error_rate: 0.3 });
      return statuses(stage.browser('bank_a'), 40);
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 502]));
    expect(await run()).toEqual(first);
    await stage.control('/bank_a/state', { state: 'HEALTHY' });
    expect(new Set(await statuses(stage.browser('bank_a'), 10))).toEqual(new Set([200]));
  });

  it('latency holds an answer back', async () => {
    await stage.control('/bank_a/state', { state: 'DEGRADED', error_rate: 0, latency_ms: 60 });
    const begun = performance.now();
    await stage.browser('bank_a').get('/login');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(59);
  });

  it.each([
    ['/bank_a/state', { state: 'TIRED' }],
    ['/bank_a/state', { state: 'DOWN', error_rate: 2 }],
    ['/bank_a/state', { state: 'DOWN', until: 'soon' }],
    ['/bank_a/hostile', { kind: 'rude' }],
    ['/bank-accounts/12/transactions', { deposit_amount: 1 }],
    ['/bank-accounts/100123450011/transactions', {}],
    ['/bank-accounts/100123450011/transactions', { deposit_amount: 1, withdrawal_amount: 1 }],
    ['/bank-accounts/100123450011/transactions', { deposit_amount: 1.5 }],
    ['/bank-accounts/100123450011/transactions', { deposit_amount: 1, at: START + 1 }],
  ])('%s refuses %j', async (path, body) => {
    expect((await stage.control(path, body)).status).toBe(400);
  });

  it('an unknown provider is 404', async () => {
    expect((await stage.control('/bank_z/state', { state: 'DOWN' })).status).toBe(404);
    expect((await stage.control('/bank_z/log')).status).toBe(404);
  });
});

describe('added transactions', () => {
  it('show in the statement, with later balances moved', async () => {
    const ask = demoAsk('bank_b');
    const browser = stage.browser('bank_b');
    await inquire(browser, 'bank_b', ask);
    const before = await readHistory(browser, 'bank_b');
    const { status } = await stage.control(`/bank-accounts/${ask.accountNo}/transactions`, {
      deposit_amount: 7777,
      description: '시험입금',
      at: '2026-11-01T12:00:00+09:00',
    });
    expect(status).toBe(201);
    await inquire(browser, 'bank_b', ask);
    const after = await readHistory(browser, 'bank_b');
    expect(after.closing).toBe(before.closing + 7777);
    expect(after.opening).toBe(before.opening);
    expect(after.rows).toContainEqual(
      expect.objectContaining({ at: '2026-11-01 12:00:00', deposit: 7777 }),
    );
    await stage.control('/reset', {});
    await inquire(browser, 'bank_b', ask);
    expect(await readHistory(browser, 'bank_b')).toEqual(before);
  });

  it('come many in one request, all of them or none', async () => {
    const ask = demoAsk('bank_b');
    const browser = stage.browser('bank_b');
    const path = `/bank-accounts/${ask.accountNo}/transactions`;
    await inquire(browser, 'bank_b', ask);
    const before = await readHistory(browser, 'bank_b');
    const at = '2026-11-01T12:00:00+09:00';
    const refused = await stage.control(path, [
      { deposit_amount: 1, at },
      { deposit_amount: 1.5, at },
    ]);
    expect(refused.status).toBe(400);
    await inquire(browser, 'bank_b', ask);
    expect(await readHistory(browser, 'bank_b')).toEqual(before);
    const { status, body } = await stage.control(path, [
      { deposit_amount: 7_000, at },
      { deposit_amount: 700, at },
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject([{ deposit_amount: 7_000 }, { deposit_amount: 700 }]);
    await inquire(browser, 'bank_b', ask);
    expect((await readHistory(browser, 'bank_b')).closing).toBe(before.closing + 7_700);
  });
});

describe('the log', () => {
  it('counts requests and names logins', async () => {
    expect(await stage.log('bank_a')).toMatchObject({ request_count: 0, requests: [] });
    const ask = demoAsk('bank_a');
    await inquire(stage.browser('bank_a'), 'bank_a', ask);
    expect(await stage.log('bank_a')).toMatchObject({
      request_count: 2,
      requests: [
        { sequence: 1, at: START, method: 'GET', path: '/quick/balance', status: 200, login: null },
        { sequence: 2, method: 'POST', path: '/quick/balance', login: ask.accountNo },
      ],
      sessions: [{ login: ask.accountNo, owner: ask.ownerNumber, kind: 'quick_inquiry' }],
    });
  });

  it('R29: one login after the other is one session at a time', async () => {
    for (let count = 0; count < 3; count += 1) {
      const browser = stage.browser('tax_portal');
      await certificateLogin(browser, 'tax_portal', demoCertificates.corporation);
      await browser.follow();
    }
    const { max_concurrent_sessions: most, sessions } = await stage.log('tax_portal');
    expect(sessions).toHaveLength(3);
    expect(Object.values(most.by_login)).toEqual([1]);
    expect(Object.values(most.by_owner)).toEqual([1]);
  });

  it('R29: a session used after the next one began is seen as two', async () => {
    const [first, second] = [stage.browser('tax_portal'), stage.browser('tax_portal')];
    await certificateLogin(first, 'tax_portal', demoCertificates.corporation);
    await certificateLogin(second, 'tax_portal', demoCertificates.corporation);
    await first.get('/user/info');
    const { max_concurrent_sessions: most, sessions } = await stage.log('tax_portal');
    expect(Object.values(most.by_login)).toEqual([2]);
    expect(sessions.map(({ ended_by }) => ended_by)).toEqual(['second_login', null]);
  });

  it('two accounts of one owner at once are two sessions of the owner', async () => {
    const [first, second] = [stage.browser('bank_d'), stage.browser('bank_d')];
    await inquire(first, 'bank_d', unlistedAsk('77123456781'));
    await inquire(second, 'bank_d', unlistedAsk('77123456782'));
    await first.get('/inquiry/result?p=2');
    const { max_concurrent_sessions: most } = await stage.log('bank_d');
    expect(Object.values(most.by_login)).toEqual([1, 1]);
    expect(Object.values(most.by_owner)).toEqual([2]);
  });
});

describe('hostile portals', () => {
  const hostile = (kind: string | null, more: object = {}) =>
    stage.control('/bank_a/hostile', { kind, ...more });

  it('huge_body is 32 MiB', async () => {
    await hostile('huge_body');
    const answer = await request(`${stage.simulators.urls.bank_a}/login`);
    let size = 0;
    for await (const piece of answer.body) size += Buffer.byteLength(piece);
    expect(size).toBe(32 * 1024 * 1024);
  });

  it('endless_body continues until the reader leaves', async () => {
    await hostile('endless_body');
    const leaving = new AbortController();
    const answer = await request(`${stage.simulators.urls.bank_a}/login`, {
      signal: leaving.signal,
    });
    let size = 0;
    await expect(async () => {
      for await (const piece of answer.body) {
        size += Buffer.byteLength(piece);
        if (size > 4 * 1024 * 1024) leaving.abort();
      }
    }).rejects.toThrow('aborted');
    expect(size).toBeGreaterThan(4 * 1024 * 1024);
  });

  it('redirect_elsewhere leads to a link-local address, only below the given path', async () => {
    await hostile('redirect_elsewhere', { path_prefix: '/quick' });
    const browser = stage.browser('bank_a');
    expect((await browser.get('/quick/balance')).location).toContain('169.254.169.254');
    expect((await browser.get('/login')).status).toBe(200);
    await hostile(null);
    expect((await browser.get('/quick/balance')).status).toBe(200);
  });

  it('malformed_html loses its fields', async () => {
    await hostile('malformed_html');
    const { $, html } = await stage.browser('bank_a').get('/quick/balance');
    expect(html).not.toContain('</html>');
    expect($('input[name="_token"]')).toHaveLength(0);
  });

  it('wrong_charset says one thing and sends another', async () => {
    await hostile('wrong_charset');
    const { html, contentType } = await stage.browser('bank_a').get('/quick/balance');
    expect(contentType).toContain('UTF-8');
    expect(html).not.toContain('빠른잔액조회');
  });

  it('script_in_fields puts scripts and instructions into texts', async () => {
    await stage.control('/tax_portal/hostile', { kind: 'script_in_fields' });
    const browser = stage.browser('tax_portal');
    await browser.get('/login');
    const { loginId: userId, loginPassword: userPw } = demoMembers.corporation;
    await browser.submit('#idLoginForm', { userId, userPw });
    await browser.follow();
    expect(browser.view.$('td script')).toHaveLength(2);
    expect(browser.view.html).toContain('Ignore all previous instructions');
    expect(browser.view.html).toContain('&lt;script&gt;');
  });
});

describe('features', () => {
  const switchOn = (features: unknown) => stage.control('/tax_portal/features', { features });

  it('are those that were named last, and none after a reset', async () => {
    expect((await switchOn(['view_state'])).status).toBe(200);
    const shown = async () => (await stage.control('/')).body;
    expect(await shown()).toMatchObject({ tax_portal: { features: ['view_state'] } });
    await switchOn(['referer_check']);
    expect(await shown()).toMatchObject({ tax_portal: { features: ['referer_check'] } });
    await stage.control('/reset', {});
    expect(await shown()).toMatchObject({ tax_portal: { features: [] } });
    expect((await switchOn(['nonsense'])).status).toBe(400);
    expect((await switchOn('view_state')).status).toBe(400);
  });

  it.each(['one_time_tokens', 'view_state'])('%s: a form is not good twice', async (feature) => {
    await switchOn([feature]);
    const browser = stage.browser('tax_portal');
    await browser.get('/login');
    const { loginId: userId, loginPassword: userPw } = demoMembers.corporation;
    const page = browser.view;
    await browser.submit('#idLoginForm', { userId, userPw });
    expect(browser.view.status).toBe(303);
    const again = stage.browser('tax_portal');
    await again.get('/login');
    const sent = Object.fromEntries(
      page
        .$('#idLoginForm input[name]')
        .toArray()
        .map((input) => [page.$(input).attr('name'), page.$(input).attr('value') ?? '']),
    );
    await again.submit('#idLoginForm', { ...sent, userId, userPw });
    expect(again.view.status).toBe(403);
  });

  it('multipart_forms: no other body is read', async () => {
    await switchOn(['multipart_forms']);
    const browser = stage.browser('tax_portal');
    await browser.get('/login');
    await browser.submit('#idLoginForm', { userId: 'user1234', userPw: 'demo1234!' });
    expect(browser.view.status).toBe(403);
  });
});

describe('starting', () => {
  it('takes fixed ports, and leaves nothing behind when one is taken', async () => {
    const { startSimulators } = await import('../src/index.ts');
    const first = new Stage();
    await first.start();
    const port = Number(new URL(first.simulators.urls.bank_a).port);
    const now = (): number => START;
    await expect(startSimulators({ now, ports: { bank_b: port } })).rejects.toThrow('EADDRINUSE');
    await first.simulators.close();
    const again = await startSimulators({ now, ports: { bank_b: port } });
    expect(again.urls.bank_b).toBe(`http://127.0.0.1:${port}`);
    await again.close();
    await expect(request(`${again.urls.bank_b}/`)).rejects.toThrow('ECONNREFUSED');
  });
});
