import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/behind-prefix.ts';
import { settled, visit } from '../support/open-browser.ts';
import { faultsOf, focusedField } from '../support/page-faults.ts';
import { logIn } from '../support/people.ts';
import type { Stage } from '../support/stage.ts';

export function describeSigningIn(stage: Stage): void {
  describe('signing in', () => {
    it('says at the field what to do about a wrong password, or a token that is not of an operator', async () => {
      const { page, go, context } = await visit(stage.browser, stage.server);
      await go('jobs?status=FAILED');
      await page.fill('input[name=email]', stage.colleague.email);
      await page.fill('input[name=password]', 'wrong');
      await page.click('button[type=submit]');
      await page.waitForSelector('input[name=password][aria-invalid=true]:focus');
      expect((await focusedField(page)).said).toContain('Check both, or reset your password.');
      // Once, as everything is said that is wrong.
      expect(await page.locator('[role=alert]').count()).toBe(0);
      await page.click('text=Sign in with an operator token');
      const { email, password } = stage.colleague;
      const tokens = [
        ['not-a-token', 'The token is not valid or has expired.'],
        [await logIn(stage.server, email, password), 'not of an operator'],
      ] as const;
      for (const [token, said] of tokens) {
        await page.fill('input[name=token]', token);
        await page.click('button[type=submit]');
        await page.waitForSelector(
          `.field:has(input[name=token]:focus) .wrong:has-text("${said}")`,
        );
        const { name, invalid, said: read } = await focusedField(page);
        expect([name, invalid]).toEqual(['token', 'true']);
        expect(read).toContain('changgu-server admin token --email');
      }
      expect(await page.locator('#main').count()).toBe(0);
      await page.click('text=Sign in with email');
      await page.fill('input[name=email]', stage.colleague.email);
      await page.fill('input[name=password]', stage.colleague.password);
      await page.click('button[type=submit]');
      await page.waitForSelector('#main h1');
      expect(page.url()).toContain('/console/jobs?status=FAILED');
      await context.close();
    });

    it('begins with an organization of your own, and asks to confirm the address (D88)', async () => {
      const { page, go, faults, context } = await visit(stage.browser, stage.server);
      await go('');
      await page.click('text=Create an account');
      await page.waitForSelector('h1:has-text("Create an account")');
      await page.fill('input[name=company_name]', '주식회사 새창구');
      await page.fill('input[name=name]', '박가입');
      await page.fill('input[name=email]', 'founder@example.com');
      await page.fill('input[name=password]', 'too short');
      await page.check('input[name=agree_terms]');
      await page.check('input[name=agree_privacy]');
      await page.click('button[type=submit]');
      await page.waitForSelector('input[name=password][aria-invalid=true]:focus');
      expect((await focusedField(page)).said).toContain('at least 10 characters');
      // Also the button under the mouse can be read.
      await page.hover('button[type=submit]');
      expect(await faultsOf(page)).toEqual([]);
      await page.fill('input[name=password]', 'correct horse battery staple');
      await page.click('button[type=submit]');
      await page.waitForSelector('.who:has-text("주식회사 새창구")');
      await settled(page);
      // What comes first is in front of those who have nothing yet.
      await page.waitForSelector('main >> text=Try one from the catalog');
      await page.waitForSelector('main >> text=Issue a key for your program');
      await page.selectOption('select.environment', 'real_test');
      await page.click('main >> text=Request access to the real-test environment');
      await page.waitForSelector('button:has-text("Request real-test access")');
      // A server without mail is not a fault of the person.
      await page.route('**/v1/me/email-verification', (route) =>
        route.fulfill({ status: 503, json: { error: { code: 'MAIL_NOT_CONFIGURED' } } }),
      );
      await page.click('text=Send the confirmation link again');
      await page.waitForSelector('[role=status]:has-text("This server sends no email")');
      expect(
        await page.locator('main :is([role=alert], .button:has-text("link again"))').count(),
      ).toBe(0);
      await page.unroute('**/v1/me/email-verification');
      await page.reload();
      await page.click('text=Send the confirmation link again');
      await page.waitForSelector('[role=status]:has-text("within 72 hours")');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('survives a reload, ends with sign-out, and leaves nothing behind', async () => {
      const { page, signIn, context } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await page.reload();
      await page.waitForSelector('#main h1');
      const [cookie] = await context.cookies();
      expect([cookie?.httpOnly, cookie?.sameSite]).toEqual([true, 'Strict']);
      // Otherwise the person would walk away from an open session.
      await context.setOffline(true);
      await page.click('text=Sign out');
      await page.waitForSelector('nav [role=alert]');
      await context.setOffline(false);
      await page.click('text=Sign out');
      await page.waitForSelector('input[name=email]');
      await page.reload();
      await page.waitForSelector('input[name=email]');
      expect(await context.cookies()).toEqual([]);
      await context.close();
    });

    it('works below a prefix that only a proxy knows', async () => {
      const proxy = await startProxy(stage.server.base_url, '/bank/window');
      const { page, faults, context } = await visit(stage.browser, stage.server);
      await page.goto(`${proxy.url}/console/jobs`);
      await page.fill('input[name=email]', stage.colleague.email);
      await page.fill('input[name=password]', stage.colleague.password);
      await page.click('button[type=submit]');
      await settled(page);
      await page.click('nav >> text=Keys');
      await settled(page);
      expect(page.url()).toBe(`${proxy.url}/console/keys`);
      expect(faults).toEqual([]);
      await context.close();
      await proxy.close();
    });
  });

  it('changes nothing for a page of another site, or without the token', async () => {
    const { context, signIn } = await visit(stage.browser, stage.server);
    await signIn(stage.colleague.email, stage.colleague.password);
    const post = (headers: Record<string, string>) =>
      context.request.post(`${stage.server.base_url}/v1/app-credentials`, {
        data: { label: 'forged' },
        headers,
      });
    const origin = stage.server.base_url;
    expect((await post({ origin })).status()).toBe(403);
    expect((await post({ origin, 'x-csrf-token': 'guess' })).status()).toBe(403);
    expect((await post({ origin: 'http://evil.example' })).status()).toBe(403);
    const page = await context.request.get(`${stage.server.base_url}/console/keys`);
    expect(page.headers()).toMatchObject({ 'x-frame-options': 'DENY' });
    await context.close();
  });
}
