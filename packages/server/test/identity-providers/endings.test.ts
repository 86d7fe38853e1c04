import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
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

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe.each(['sqlite', 'postgres'] as const)('the end of a login, on %s', (dialect) => {
  let stage: ProviderStage;
  let owner: Person;
  let subjects = 0;

  beforeAll(async () => {
    stage = await startWithProvider(dialect);
    owner = await newPerson(stage.server);
    await allowDomain(stage.server, owner.organizationId, 'acme.example');
  }, 60_000);
  afterAll(() => stage.close());

  async function newcomer() {
    subjects += 1;
    const subject = `u-${subjects}`;
    const email = `${subject}@acme.example`;
    stage.provider.people.set(subject, { email });
    await inviteTo(owner, email);
    const browser = newBrowser(stage);
    await agree(browser, await logInAs(stage, browser, subject));
    expect(await statusIn(browser)).toBe(200);
    return { subject, browser };
  }
  const statusIn = async (browser: Browser) =>
    (await callIn(stage, browser, 'GET', '/v1/auth/session')).status;
  const endings = async () => {
    const { items } = (await owner.call('GET', '/v1/audit')).body;
    return items
      .filter(({ act }: { act: string }) => act === 'session.end')
      .map(({ details }: { details: { reason?: string } }) => details.reason);
  };

  it('comes when the provider has switched the person off, and not before', async () => {
    const leaver = await newcomer();
    const other = await newcomer();
    await stage.recheck();
    expect([await statusIn(leaver.browser), await statusIn(other.browser)]).toEqual([200, 200]);
    stage.provider.people.delete(leaver.subject);
    await stage.recheck();
    expect([await statusIn(leaver.browser), await statusIn(other.browser)]).toEqual([401, 200]);
    expect((await logInAs(stage, newBrowser(stage), leaver.subject)).status).not.toBe(200);
    expect(await endings()).toContain('refused');
  });

  it('is asked about by one process at a time: a refresh token that is used twice would end it', async () => {
    const { browser } = await newcomer();
    await stage.recheck(3);
    await stage.recheck();
    expect(await statusIn(browser)).toBe(200);
  });

  it('comes with logging out at the provider, of that session alone', async () => {
    const { subject, browser } = await newcomer();
    const elsewhere = newBrowser(stage);
    await logInAs(stage, elsewhere, subject);
    const { end_session_endpoint } = await metadata();
    const page = await browser.open(`${end_session_endpoint}?client_id=changgu`);
    const xsrf = /name="xsrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    await browser.submit(page, [
      ['xsrf', xsrf],
      ['logout', 'yes'],
    ]);
    expect([await statusIn(browser), await statusIn(elsewhere)]).toEqual([401, 200]);
    expect(await endings()).toContain('logged_out');
  });

  it('comes with logging out here, and leads to logging out at the provider', async () => {
    const { browser } = await newcomer();
    const { body } = await callIn(stage, browser, 'POST', '/v1/auth/logout', {});
    expect(body.ended_sessions).toBe(1);
    const address = new URL(body.provider_logout_url);
    expect(address.origin).toBe(stage.provider.issuer);
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(
      `${stage.server.url}/console`,
    );
    expect(await statusIn(browser)).toBe(401);
    const { body: own } = await owner.call('POST', '/v1/auth/logout', {});
    expect(own.provider_logout_url).toBeNull();
    owner = await relogged(owner);
  });

  it('comes when no one has vouched for an hour', async () => {
    const { browser } = await newcomer();
    await stage.sql(
      'update console_sessions set vouched_until = 1 where vouched_until is not null',
    );
    expect(await statusIn(browser)).toBe(401);
  });

  it('does not come by a logout token that is forged', async () => {
    const { subject, browser } = await newcomer();
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: stage.provider.issuer,
      aud: stage.provider.clientId,
      sub: subject,
      iat: now,
      jti: randomUUID(),
      events: { [EVENT]: {} },
    };
    const forged = [
      { ...claims, iss: 'https://attacker.example' },
      { ...claims, aud: 'another client' },
      { ...claims, iat: now - 3_600 },
      { ...claims, events: {} },
      { ...claims, sub: '' },
      // An ID token, which a browser could have brought.
      { ...claims, nonce: 'nonce' },
    ];
    const tokens = await Promise.all(forged.map((each) => stage.provider.sign(each)));
    const good = await stage.provider.sign(claims);
    const [head, body] = good.split('.');
    for (const token of [...tokens, '', 'x', `${head}.${body}.${'A'.repeat(86)}`]) {
      expect(await sendLogout(token)).toBe(400);
    }
    expect(await statusIn(browser)).toBe(200);
    expect(await sendLogout(good)).toBe(200);
    expect(await statusIn(browser)).toBe(401);
  });

  it('is asked of a session before an act that asks for the password', async () => {
    const { browser } = await newcomer();
    const begin = () => callIn(stage, browser, 'POST', '/v1/me/factors', { kind: 'totp' });
    await stage.sql('update console_sessions set created_at = created_at - 700000');
    const old = await begin();
    expect([old.status, old.body.error.code]).toEqual([403, 'AUTH_LOGIN_TOO_OLD']);
    await stage.sql('update console_sessions set created_at = created_at + 700000');
    expect((await begin()).status).toBe(201);
    const byPassword = await owner.call('POST', '/v1/me/factors', { kind: 'totp' });
    expect(byPassword.status).toBe(422);
  });

  it('does not come while the provider is out of reach', async () => {
    const { browser } = await newcomer();
    await stage.provider.close();
    await stage.recheck();
    expect(await statusIn(browser)).toBe(200);
  });

  async function metadata(): Promise<{ end_session_endpoint: string }> {
    const answer = await fetch(`${stage.provider.issuer}/.well-known/openid-configuration`);
    return answer.json();
  }

  async function sendLogout(token: string): Promise<number> {
    const answer = await fetch(`${stage.server.url}/v1/auth/providers/acme/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
    return answer.status;
  }

  async function relogged(person: Person): Promise<Person> {
    const { callerWith, logIn } = await import('../support/people.ts');
    const token = await logIn(stage.server, person.email, person.password);
    return { ...person, token, call: callerWith(stage.server, token) };
  }
});
