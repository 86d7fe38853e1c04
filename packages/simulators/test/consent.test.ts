import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { demoConsentClient, demoMembers } from '../src/index.ts';
import type { Browser } from './browser.ts';
import { demoAsk } from './quick-inquiry.ts';
import { useStage } from './stage.ts';

const stage = useStage();
const redirectUri = 'http://127.0.0.1:4010/v1/credentials/consent-return';
const { clientId, clientSecret } = demoConsentClient;
const { loginId: id, loginPassword: password } = demoMembers.corporation;

async function screen(change: Record<string, string> = {}): Promise<Browser> {
  const browser = stage.browser('bank_d');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'state-1',
    scope: 'accounts transactions',
    ...change,
  });
  await browser.get(`/oauth/authorize?${query}`);
  return browser;
}

async function consent(
  fields: Record<string, string> = {},
  scope = 'accounts transactions',
): Promise<URL> {
  const browser = await screen({ scope });
  const scopes = scope === 'accounts transactions' ? {} : { scope };
  await browser.submit('#consentForm', { id, password, decision: 'approve', ...scopes, ...fields });
  return new URL(browser.view.location ?? 'about:blank');
}

async function post(path: string, body: object, token?: string) {
  const answer = await request(stage.simulators.urls.bank_d + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  const fields: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
  return { status: answer.statusCode, fields, cookie: String(answer.headers['set-cookie'] ?? '') };
}

const exchange = (code: string, change: Record<string, string> = {}) =>
  post('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    ...change,
  });

async function withToken(scope: string): Promise<Browser> {
  const code = (await consent({}, scope)).searchParams.get('code') ?? '';
  const { fields } = await exchange(code);
  const browser = stage.browser('bank_d');
  await browser.authorize(String(fields.access_token), '/oauth/session');
  expect(browser.view.status).toBe(204);
  return browser;
}

describe('consent at bank_d', () => {
  it('comes back with code and state, and the code works once', async () => {
    const target = await consent();
    expect(target.origin + target.pathname).toBe(redirectUri);
    expect(target.searchParams.get('state')).toBe('state-1');
    const code = target.searchParams.get('code') ?? '';
    const first = await exchange(code);
    expect(first.status).toBe(200);
    expect(first.fields).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const second = await exchange(code);
    expect([second.status, second.fields]).toEqual([400, { error: 'invalid_grant' }]);
  });

  it('a denial comes back as one', async () => {
    const target = await consent({ decision: 'deny' });
    expect(Object.fromEntries(target.searchParams)).toEqual({
      error: 'access_denied',
      state: 'state-1',
    });
  });

  it.each([
    [{ client_id: 'another-client' }],
    [{ redirect_uri: 'https://example.com/elsewhere' }],
    [{ response_type: 'token' }],
    [{ state: '' }],
    [{ scope: 'everything' }],
  ])('the screen refuses %j', async (change) => {
    const browser = await screen(change);
    expect(browser.view.$('#consentForm')).toHaveLength(0);
    expect(browser.view.$('p[role=alert]')).toHaveLength(1);
  });

  it('a wrong password gives no code', async () => {
    const browser = await screen();
    await browser.submit('#consentForm', { id, password: 'wrong', decision: 'approve' });
    expect(browser.view.location).toBeNull();
    expect(browser.view.$('p[role=alert]').text()).toContain('(1/5회)');
  });

  it('a code ends after ten minutes, and is bound to its address and client', async () => {
    const code = async (): Promise<string> => (await consent()).searchParams.get('code') ?? '';
    const late = await code();
    stage.now += 10 * 60_000;
    expect((await exchange(late)).fields).toEqual({ error: 'invalid_grant' });
    expect((await exchange(await code(), { redirect_uri: `${redirectUri}?x=1` })).status).toBe(400);
    expect((await exchange(await code(), { client_secret: 'wrong' })).status).toBe(401);
  });

  it('a refresh token survives a restart and gives a new access token', async () => {
    const code = (await consent()).searchParams.get('code') ?? '';
    const { fields } = await exchange(code);
    await stage.control('/reset', {});
    stage.now += 3_600_000;
    expect((await post('/oauth/session', {}, String(fields.access_token))).status).toBe(401);
    const renewed = await exchange('', {
      grant_type: 'refresh_token',
      refresh_token: String(fields.refresh_token),
    });
    expect((await post('/oauth/session', {}, String(renewed.fields.access_token))).status).toBe(
      204,
    );
  });

  it('an access token opens a session that lists accounts and needs no owner number', async () => {
    const browser = await withToken('accounts transactions');
    await browser.get('/accounts');
    expect(browser.view.$('ul.account_list li')).toHaveLength(1);
    const ask = demoAsk('bank_d');
    await browser.get('/inquiry');
    await browser.submit('#inquiryForm', {
      account: ask.accountNo,
      pin: ask.password,
      start: '20261101',
      end: '20261120',
    });
    await browser.follow();
    expect(browser.view.$('ul.tx_list li').length).toBeGreaterThan(0);
  });

  it('a scope that was not given opens nothing', async () => {
    const accounts = await withToken('accounts');
    await accounts.get('/inquiry');
    await accounts.submit('#inquiryForm', { account: '40277788011', pin: '9173' });
    expect(accounts.view.html).toContain('동의하지 않은 정보입니다.');
    const transactions = await withToken('transactions');
    await transactions.get('/accounts');
    expect(transactions.view.html).toContain('동의하지 않은 정보입니다.');
  });
});
