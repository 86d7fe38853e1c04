import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe.each(['sqlite', 'postgres'] as const)(
  'login at an identity provider, on %s',
  (dialect) => {
    let stage: ProviderStage;
    let owner: Person;

    beforeAll(async () => {
      stage = await startWithProvider(dialect);
      owner = await newPerson(stage.server);
      await allowDomain(stage.server, owner.organizationId, 'acme.example');
    }, 60_000);
    afterAll(() => stage.close());

    async function joined(subject: string, email: string) {
      stage.provider.people.set(subject, { email, name: '김로그인' });
      await inviteTo(owner, email);
      const browser = newBrowser(stage);
      const page = await logInAs(stage, browser, subject);
      expect(page.text, page.text).toContain('Agree and join');
      const end = await agree(browser, page);
      expect(end.url).toBe(`${stage.server.url}/console`);
      return browser;
    }
    const sessionIn = async (browser: ReturnType<typeof newBrowser>) =>
      callIn(stage, browser, 'GET', '/v1/auth/session');
    const acts = async () => {
      const { items } = (await owner.call('GET', '/v1/audit')).body;
      return items.map(({ act }: { act: string }) => act);
    };

    it('is offered by name', async () => {
      const { body } = await stage.server.call('GET', '/v1/auth/providers');
      expect(body).toEqual({
        items: [{ provider: 'acme', label: 'Acme' }],
        registration: 'open',
      });
    });

    it('joins who was invited, once the terms are agreed to, and lets in from then on', async () => {
      const browser = await joined('u-1', 'kim@acme.example');
      const { body } = await sessionIn(browser);
      expect(body).toMatchObject({
        user: { email: 'kim@acme.example', name: '김로그인' },
        organization: { organization_id: owner.organizationId },
        role: 'MEMBER',
        email_verified: true,
        has_password: false,
      });
      const again = newBrowser(stage);
      const end = await logInAs(stage, again, 'u-1');
      expect(end.url).toBe(`${stage.server.url}/console`);
      expect((await sessionIn(again)).body.user.user_id).toBe(body.user.user_id);
      expect(await acts()).toEqual(expect.arrayContaining(['member.join', 'user.log_in']));
    });

    it('shows what is joined, and joins no one who does not agree', async () => {
      stage.provider.people.set('u-2', { email: 'lee@acme.example', name: '<b>Lee</b>' });
      await inviteTo(owner, 'lee@acme.example', 'ADMIN');
      const browser = newBrowser(stage);
      const page = await logInAs(stage, browser, 'u-2');
      expect(page.text).toContain('Administrator');
      expect(page.text).toContain('&#60;b&#62;Lee&#60;/b&#62;');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      const refused = await browser.submit(page, [['decision', 'join']]);
      expect(refused.status).toBe(400);
      expect((await sessionIn(browser)).status).toBe(204);
      expect((await agree(browser, refused)).url).toBe(`${stage.server.url}/console`);
    });

    it.each([
      ['was not invited', { email: 'stranger@acme.example' }, 'no invitation'],
      [
        'has an address that is not verified',
        { email: 'park@acme.example', emailVerified: false },
        'not verified',
      ],
      [
        'comes from a domain that is not allowed',
        { email: 'choi@elsewhere.example' },
        'no invitation',
      ],
    ])('refuses who %s', async (_, known, reason) => {
      await inviteTo(owner, 'park@acme.example');
      await inviteTo(owner, 'choi@elsewhere.example');
      stage.provider.people.set('u-3', known);
      const browser = newBrowser(stage);
      const page = await logInAs(stage, browser, 'u-3');
      expect(page.status).toBe(403);
      expect(page.text).toContain(reason);
      expect((await sessionIn(browser)).status).toBe(204);
    });

    it('takes over no account that has the address, and no one who takes the address over', async () => {
      const holder = await newPerson(stage.server);
      await allowDomain(stage.server, holder.organizationId, 'example.com').catch(() => {});
      stage.provider.people.set('u-4', { email: holder.email });
      const page = await logInAs(stage, newBrowser(stage), 'u-4');
      expect(page.text).toContain('has an account already');
      // A new employee with the address of one who left is another person to the provider.
      await joined('u-5', 'yoon@acme.example');
      stage.provider.people.set('u-6', { email: 'yoon@acme.example' });
      const successor = await logInAs(stage, newBrowser(stage), 'u-6');
      expect(successor.status).toBe(403);
    });

    it('is the only way in for who is pinned to it, and ends nothing else', async () => {
      await joined('u-7', 'han@acme.example');
      const password = 'a password of my own';
      await setPassword('han@acme.example', password);
      const login = await stage.server.call('POST', '/v1/auth/login', {
        body: { email: 'han@acme.example', password },
      });
      expect([login.status, login.body.error.code]).toEqual([403, 'AUTH_PROVIDER_REQUIRED']);
      const { core } = stage.server;
      const actor = { kind: 'system', id: 'test', traceId: null } as const;
      await core.store.identities.unpin({ email: 'han@acme.example', actor });
      const after = await stage.server.call('POST', '/v1/auth/login', {
        body: { email: 'han@acme.example', password },
      });
      expect(after.status).toBe(200);
    });

    async function setPassword(email: string, password: string) {
      const { hashPassword } = await import('../../src/crypto/password.ts');
      const { users } = stage.server.core.store;
      const user = await users.find({ email });
      if (user === null) throw new Error(`${email} is unknown`);
      await users.changePassword({
        userId: user.userId,
        organizationId: user.organizationId,
        expectedEpoch: user.passwordEpoch,
        passwordHash: await hashPassword(password),
        origin: { traceId: null },
      });
    }

    it('connects an account that is logged in, when the address is its own', async () => {
      const person = await newPerson(stage.server);
      await allowDomain(stage.server, person.organizationId, 'example.com');
      const browser = newBrowser(stage);
      const login = await fetch(`${stage.server.url}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: stage.server.url },
        body: JSON.stringify({ email: person.email, password: person.password, cookie: true }),
      });
      const [line = ''] = login.headers.getSetCookie();
      const value = /changgu_session=([^;]+)/.exec(line)?.[1] ?? '';
      browser.cookies.set('changgu_session', { value, path: '/' });
      const pin = async (subject: string, email: string) => {
        stage.provider.people.set(subject, { email });
        stage.provider.present = subject;
        return browser.open(`${stage.server.url}/v1/auth/providers/acme/start?pin=1`);
      };
      expect((await pin('u-8', 'other@example.com')).status).toBe(403);
      expect((await sessionIn(browser)).body.has_password).toBe(true);
      // The provider remembers who was there: another browser, so to speak.
      for (const name of browser.cookies.keys()) {
        if (!name.startsWith('changgu')) browser.cookies.delete(name);
      }
      expect((await pin('u-9', person.email)).url).toBe(`${stage.server.url}/console/account`);
      expect((await sessionIn(browser)).body).toMatchObject({
        user: { user_id: person.userId },
        has_password: false,
      });
      expect((await person.call('GET', '/v1/auth/session')).status).toBe(401);
      const audit = (await callIn(stage, browser, 'GET', '/v1/audit')).body.items;
      expect(audit.map(({ act }: { act: string }) => act)).toContain('identity.pin');
    });

    it('is closed at once when the operator takes the domain back', async () => {
      const browser = await joined('u-10', 'oh@acme.example');
      const { store } = stage.server.core;
      const actor = { kind: 'system', id: 'test', traceId: null } as const;
      const domain = {
        organizationId: owner.organizationId,
        provider: 'acme',
        domain: 'acme.example',
      };
      await store.loginDomains.disallow({ ...domain, actor });
      expect((await sessionIn(browser)).status).toBe(401);
      expect((await logInAs(stage, newBrowser(stage), 'u-10')).status).toBe(403);
      await store.loginDomains.allow({ ...domain, actor });
      expect((await logInAs(stage, newBrowser(stage), 'u-10')).url).toContain('/console');
    });
  },
);
