import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator } from './support/authenticator.ts';
import { findChromium } from './support/find-chromium.ts';
import { launch, PLAIN, settled, type Visit, visit } from './support/open-browser.ts';
import { type OutsideLogin, startWithOutsideLogin } from './support/outside-login.ts';
import { faultsOf } from './support/page-faults.ts';
import { invite, inviteOnly, logIn, register } from './support/people.ts';

const chromium = findChromium();
const VERIFIER = 'a'.repeat(64);
/** SHA-256 of the verifier. */
const CHALLENGE = Buffer.from(
  await crypto.subtle.digest('SHA-256', new TextEncoder().encode(VERIFIER)),
).toString('base64url');

describe.skipIf(chromium === null)('logging in from outside, in a browser', () => {
  let stage: OutsideLogin;
  let browser: Browser;
  let ownerToken: string;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([startWithOutsideLogin(), launch(chromium ?? '')]);
    const { server } = stage;
    ownerToken = await logIn(server, server.console.email, server.console.password);
  }, 120_000);
  afterAll(() => Promise.all([browser.close(), stage.close()]));

  /** A browser of its own, with the person in front of it whom the provider knows by this subject. */
  async function visitAs(subject: string, email: string): Promise<Visit> {
    stage.provider.people.set(subject, { email, name: '김로그인' });
    stage.provider.present = subject;
    return visit(browser, stage.server, PLAIN);
  }
  const pressOn = (page: Page, name: string) =>
    page.getByRole('link', { name, exact: true }).click();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  describe('at an identity provider', () => {
    it('comes back with a page that says so, when the provider is down', async () => {
      const { page, go, faults, context } = await visit(browser, stage.server, PLAIN);
      await go('');
      await page.getByRole('link', { name: 'Sign in with Down', exact: true }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await pressOn(page, 'Sign in with Down');
      await page.waitForSelector('[role=alert]');
      expect(await faultsOf(page)).toEqual([]);
      expect(page.url()).toBe(`${stage.server.base_url}/v1/auth/providers/down/start`);
      await page.click('a');
      await page.waitForSelector('input[name=email]');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('joins who was invited, shows where the person signs in, and signs out there too', async () => {
      await inviteOnly(stage.server, ownerToken, 'kim@acme.example');
      const { page, go, faults, context } = await visitAs('u-1', 'kim@acme.example');
      await go('');
      await pressOn(page, 'Sign in with Acme');
      await page.waitForSelector('h1:has-text("Join an organization")');
      expect(await faultsOf(page)).toEqual([]);
      await page.check('input[name=agree_terms]');
      await page.check('input[name=agree_privacy]');
      await button(page, 'Agree and join').click();
      await page.waitForSelector('#main h1');
      await go('account');
      await settled(page);
      await page.waitForSelector('text=You sign in at Acme.');
      expect(await page.getByRole('link', { name: 'Connect Acme' }).count()).toBe(0);
      expect(await page.locator('input[name=current_password]').count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
      // Through the provider, which forgets who was there, back to the console.
      await page.click('nav >> text=Sign out');
      await button(page, 'Log out').click();
      await page.waitForSelector('input[name=email]');
      expect(new URL(page.url()).origin).toBe(stage.server.base_url);
      stage.provider.people.set('u-2', { email: 'stranger@acme.example' });
      stage.provider.present = 'u-2';
      await pressOn(page, 'Sign in with Acme');
      await page.waitForSelector('[role=alert]');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('connects an account that has a password, which it then no longer needs', async () => {
      const email = 'lee@acme.example';
      const password = await invite(stage.server, ownerToken, email, 'MEMBER');
      const { page, go, signIn, faults, context } = await visitAs('u-3', email);
      await signIn(email, password);
      await go('account');
      await pressOn(page, 'Connect Acme');
      await page.waitForSelector('text=You sign in at Acme.');
      expect(new URL(page.url()).pathname).toBe('/console/account');
      const again = await visit(browser, stage.server, PLAIN);
      await again.go('');
      await again.page.fill('input[name=email]', email);
      await again.page.fill('input[name=password]', password);
      await again.page.click('button[type=submit]');
      await again.page.waitForSelector('[role=alert]');
      await pressOn(again.page, 'Sign in with Acme');
      await again.page.waitForSelector('#main h1');
      expect([...faults, ...again.faults]).toEqual([]);
      await Promise.all([context.close(), again.context.close()]);
    });
  });

  describe('on the page where a program is approved', () => {
    /** Where the command line waits. */
    const program = createServer((_request, response) => response.end('Go back to the terminal.'));
    let callback: string;
    beforeAll(async () => {
      program.listen(0, '127.0.0.1');
      await once(program, 'listening');
      // A TCP server that listens has one.
      callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
    });
    afterAll(() => program.close());

    /** Opens the page as the command line would. */
    async function ask(page: Page): Promise<void> {
      const address = new URL('/oauth/auth', stage.server.base_url);
      address.search = String(
        new URLSearchParams({
          client_id: 'changgu-cli',
          response_type: 'code',
          redirect_uri: callback,
          scope: 'jobs:read links:read',
          resource: `${stage.server.base_url}/v1`,
          state: 'of-this-test',
          code_challenge: CHALLENGE,
          code_challenge_method: 'S256',
        }),
      );
      await page.goto(address.href);
      await page.waitForSelector('input[name=email]');
    }

    /** What the program is told when the person presses this. */
    async function decide(page: Page, decision: 'approve' | 'deny'): Promise<URLSearchParams> {
      await page.click(`button[value=${decision}]`);
      await page.waitForSelector('text=Go back to the terminal.');
      return new URL(page.url()).searchParams;
    }

    async function approve(page: Page): Promise<void> {
      await page.waitForSelector('button[value=approve]');
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await faultsOf(page), colorScheme).toEqual([]);
      }
      const answer = await decide(page, 'approve');
      expect(answer.get('state')).toBe('of-this-test');
      const given = await fetch(new URL('/oauth/token', stage.server.base_url), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'changgu-cli',
          redirect_uri: callback,
          code: answer.get('code') ?? '',
          code_verifier: VERIFIER,
        }),
      });
      const { access_token: token }: { access_token?: string } = await given.json();
      const jobs = await fetch(new URL('/v1/jobs', stage.server.base_url), {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(jobs.status).toBe(200);
    }

    it('a passkey lets a person in', async () => {
      const email = 'passkey@example.com';
      const password = await register(stage.server, email);
      const { page, go, signIn, faults, context } = await visit(browser, stage.server, PLAIN);
      await addAuthenticator(page);
      await signIn(email, password);
      await go('account');
      await button(page, 'Add a passkey').click();
      await page.fill('dialog input[name=label]', 'Laptop');
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      await button(page, 'I have stored them').click();
      await page.click('nav >> text=Sign out');
      await page.waitForSelector('input[name=email]');

      await ask(page);
      expect(await faultsOf(page)).toEqual([]);
      await button(page, 'Sign in with a passkey').click();
      await approve(page);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('without scripts, a password does, and no passkey is offered', async () => {
      const email = 'plain@example.com';
      const password = await register(stage.server, email);
      const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-US' });
      const page = await context.newPage();
      await ask(page);
      expect(await page.locator('button[value=passkey]').isVisible()).toBe(false);
      await page.fill('input[name=email]', email);
      await page.fill('input[name=password]', password);
      await button(page, 'Sign in').click();
      expect((await decide(page, 'deny')).get('error')).toBe('access_denied');
      await context.close();
    });

    it('so does an identity provider, which leads back to the program', async () => {
      await inviteOnly(stage.server, ownerToken, 'park@acme.example', 'ADMIN');
      const { page, faults, context } = await visitAs('u-4', 'park@acme.example');
      await ask(page);
      await pressOn(page, 'Sign in with Acme');
      await page.check('input[name=agree_terms]');
      await page.check('input[name=agree_privacy]');
      await button(page, 'Agree and join').click();
      await approve(page);
      expect(faults).toEqual([]);
      await context.close();
    });
  });
});
