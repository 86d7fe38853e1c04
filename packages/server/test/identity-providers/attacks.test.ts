import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { chosenOn, newStranger } from '../support/oauth.ts';
import {
  agree,
  allowDomain,
  callIn,
  inviteTo,
  logInAs,
  newBrowser,
  type ProviderStage,
  startWithProvider,
} from '../support/outside-login/provider-login.ts';
import { newPerson, type Person } from '../support/people.ts';

let stage: ProviderStage;
let owner: Person;

beforeAll(async () => {
  stage = await startWithProvider('sqlite', {
    toml: 'second_factor_amr = ["mfa"]\n',
    env: { OAUTH: 'on' },
  });
  owner = await newPerson(stage.server);
  await allowDomain(stage.server, owner.organizationId, 'acme.example');
}, 60_000);
afterAll(() => stage.close());

async function newcomer(subject: string, amr: readonly string[] = ['pwd'], role = 'MEMBER') {
  const email = `${subject}@acme.example`;
  stage.provider.people.set(subject, { email, amr });
  await inviteTo(owner, email, role);
  const browser = newBrowser(stage);
  await agree(browser, await logInAs(stage, browser, subject));
  return browser;
}

/** What the provider sends the browser back with, and the browser that began. */
async function answered(subject: string) {
  stage.provider.people.set(subject, { email: `${subject}@acme.example` });
  stage.provider.present = subject;
  const browser = openBrowser(`${stage.server.url}/v1/auth/providers/acme/callback`);
  const { url } = await browser.open(`${stage.server.url}/v1/auth/providers/acme/start`);
  return { url, cookie: `changgu_sign_in=${browser.cookies.get('changgu_sign_in')?.value ?? ''}` };
}

async function sendBack(address: string, cookie: string) {
  const headers = { cookie, 'accept-language': 'en' };
  const answer = await fetch(address, { headers, redirect: 'manual' });
  return { status: answer.status, cookies: answer.headers.getSetCookie().join() };
}

describe('the answer of a provider', () => {
  it('is for the browser that began', async () => {
    const victim = await answered('a-1');
    const attacker = await answered('a-2');
    expect((await sendBack(attacker.url, '')).status).toBe(400);
    const planted = await sendBack(attacker.url, victim.cookie);
    expect(planted.status).toBe(403);
    expect(planted.cookies).not.toContain('changgu_session=');
  });

  it('works once', async () => {
    const browser = await newcomer('a-3');
    expect(browser.cookies.has('changgu_session')).toBe(true);
    const { url, cookie } = await answered('a-3');
    expect((await sendBack(url, cookie)).status).toBe(303);
    expect((await sendBack(url, cookie)).status).toBe(400);
  });

  it.each([
    ['another state', 'state', 'guess'],
    ['another issuer (RFC 9207)', 'iss', 'https://attacker.example'],
    ['no issuer', 'iss', null],
    ['another code', 'code', 'stolen'],
  ])('is refused with %s', async (_, name, value) => {
    await newcomer(`b-${name}-${value === null ? 'none' : 'other'}`);
    const { url, cookie } = await answered(`b-${name}-${value === null ? 'none' : 'other'}`);
    const address = new URL(url);
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
    const { status, cookies } = await sendBack(address.href, cookie);
    expect(status).toBe(403);
    expect(cookies).not.toContain('changgu_session=');
  });

  it('leads to the console or to a request of a client, and nowhere else', async () => {
    await newcomer('a-4');
    stage.provider.present = 'a-4';
    const start = `${stage.server.url}/v1/auth/providers/acme/start`;
    for (const query of ['return_to=https://attacker.example', 'interaction=../../evil']) {
      const browser = newBrowser(stage);
      expect((await browser.open(`${start}?${query}`)).url).toBe(`${stage.server.url}/console`);
    }
    const unknown = await fetch(`${stage.server.url}/v1/auth/providers/other/start`);
    expect(unknown.status).toBe(404);
    const stranger = await fetch(`${start}?pin=1`, { redirect: 'manual' });
    expect(stranger.status).toBe(401);
  });

  it('asks with PKCE, a state and a nonce', async () => {
    const answer = await fetch(`${stage.server.url}/v1/auth/providers/acme/start`, {
      redirect: 'manual',
    });
    const asked = new URL(answer.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked.get(name)?.length).toBeGreaterThanOrEqual(43);
    }
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
  });
});

/** Adds an authenticator app, and gives its codes by how many periods they are ahead of now. */
async function addApp(browser: ReturnType<typeof newBrowser>) {
  const { body } = await callIn(stage, browser, 'POST', '/v1/me/factors', { kind: 'totp' });
  const codeOf = (ahead: number) =>
    new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({
      timestamp: Date.now() + ahead * 30_000,
    });
  const confirm = `/v1/me/factors/${body.factor_id}/confirm`;
  await callIn(stage, browser, 'POST', confirm, { code: codeOf(-1) });
  return codeOf;
}

describe('the second factor', () => {
  it('is asked for where the provider does not vouch for one', async () => {
    const browser = await newcomer('c-1');
    const codeOf = await addApp(browser);

    const again = newBrowser(stage);
    const page = await logInAs(stage, again, 'c-1');
    expect(page.text).toContain('factor_code');
    expect(again.cookies.has('changgu_session')).toBe(false);
    const wrong = await again.submit(page, [['factor_code', '000000']]);
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('role="alert"') });
    const right = await again.submit(wrong, [['factor_code', codeOf(0)]]);
    expect(right.url).toBe(`${stage.server.url}/console`);

    stage.provider.people.set('c-1', { email: 'c-1@acme.example', amr: ['pwd', 'mfa'] });
    const vouched = await logInAs(stage, newBrowser(stage), 'c-1');
    expect(vouched.url).toBe(`${stage.server.url}/console`);
  });

  it('opens nothing once the domain is disallowed, as for who is asked for nothing', async () => {
    const own = await newPerson(stage.server);
    const domain = 'fleeting.example';
    await allowDomain(stage.server, own.organizationId, domain);
    const email = `c-9@${domain}`;
    stage.provider.people.set('c-9', { email, amr: ['pwd'] });
    await inviteTo(own, email, 'MEMBER');
    const browser = newBrowser(stage);
    await agree(browser, await logInAs(stage, browser, 'c-9'));
    const codeOf = await addApp(browser);
    const waiting = newBrowser(stage);
    const page = await logInAs(stage, waiting, 'c-9');
    await stage.server.core.store.loginDomains.disallow({
      provider: 'acme',
      domain,
      organizationId: own.organizationId,
      actor: { kind: 'system', id: 'test', traceId: null },
    });
    await waiting.submit(page, [['factor_code', codeOf(0)]]);
    expect(waiting.cookies.has('changgu_session')).toBe(false);
  });

  it('is demanded by an organization, and only what the operator trusts stands for it', async () => {
    const administrator = await newcomer('c-2', ['pwd', 'mfa'], 'ADMIN');
    const without = await newcomer('c-3', ['pwd', 'otp'], 'ADMIN');
    await owner.call('PATCH', '/v1/organization', { second_factor_required: true });
    const must = async (browser: ReturnType<typeof newBrowser>) => {
      const { must_add_factor } = (await callIn(stage, browser, 'GET', '/v1/auth/session')).body;
      const { status } = await callIn(stage, browser, 'GET', '/v1/members');
      return [must_add_factor, status];
    };
    expect(await must(administrator)).toEqual([false, 200]);
    expect(await must(without)).toEqual([true, 403]);
  });
});

it('a client is approved by who logs in at the provider', async () => {
  const stranger = await newStranger(stage.server);
  const begun = await stranger.begin();
  const link = /href="([^"]*auth\/providers[^"]*)"/.exec(begun.page.text)?.[1] ?? '';
  expect(begun.page.text).toContain('Sign in with Acme');
  stage.provider.present = 'c-2';
  const page = await begun.browser.open(new URL(link, begun.page.url).href);
  expect(page.text).toContain('c-2@acme.example');
  const end = await begun.browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
  expect((await stranger.finish(begun, end)).access_token).toBeDefined();
});
