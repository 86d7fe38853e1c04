import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { DevServer } from '../support/dev-server.ts';
import { drawn, settled, visit } from '../support/open-browser.ts';
import { join, logIn, register } from '../support/people.ts';
import type { Stage } from '../support/stage.ts';

const SESSION = '**/v1/auth/session';

export function describeSessions(stage: Stage): void {
  describe('a session', () => {
    it('outlives a read that fails, and new recovery codes stay on the screen', async () => {
      const email = 'bad-network@example.com';
      const password = await register(stage.server, email);
      const { page, go, signIn, faults, context } = await visit(stage.browser, stage.server);
      await signIn(email, password);
      await go('account');
      await settled(page);
      await page.click('text=Add an app');
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      const secret = (await page.locator('dialog .secret').textContent()) ?? '';
      const app = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
      await page.fill('dialog input[name=code]', app.generate());
      await page.route(SESSION, (route) => route.abort());
      await Promise.all([
        page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/auth/session')),
        page.click('dialog >> button[type=submit]'),
      ]);
      await page.waitForSelector('.recovery-codes');
      await drawn(page);
      expect(await page.locator('.recovery-codes code').count()).toBe(10);
      await page.unroute(SESSION);
      await page.click('text=I have stored them');
      await page.click('nav >> text=Jobs');
      await settled(page);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is asked for again where the server could not be reached at first', async () => {
      const { page, signIn, context } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await page.route(SESSION, (route) => route.abort());
      await page.reload();
      await page.waitForSelector('text=The server cannot be reached.');
      expect(await page.locator('input[name=email]').count()).toBe(0);
      await page.unroute(SESSION);
      await page.getByRole('button', { name: 'Try again', exact: true }).click();
      await page.waitForSelector('#main h1');
      await context.close();
    });

    it('outlives a link that was used before, which is named where there is none', async () => {
      const { page, signIn, context } = await visit(stage.browser, stage.server);
      const used = `${stage.server.base_url}/console/keys#once=used`;
      await page.goto(used);
      await page.waitForSelector('[role=alert]:has-text("has been used")');
      await signIn(stage.colleague.email, stage.colleague.password);
      await page.goto(used);
      await settled(page);
      expect(page.url()).toBe(`${stage.server.base_url}/console/keys`);
      await context.close();
    });

    it('that ended says so, and a screen reader is there', async () => {
      const email = 'ended@example.com';
      const password = await join(stage.server, email, 'MEMBER');
      const { page, go, signIn, context } = await visit(stage.browser, stage.server);
      await signIn(email, password);
      await logOutEverywhere(stage.server, email, password);
      await go('jobs');
      await page.waitForSelector('[role=alert]:has-text("Your session has ended")');
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      await page.fill('input[name=email]', email);
      await page.fill('input[name=password]', password);
      await page.click('button[type=submit]');
      await settled(page);
      expect(page.url()).toContain('/console/jobs');
      // Who leaves knows why.
      await page.click('text=Sign out');
      await page.waitForSelector('input[name=email]');
      expect(await page.locator('[role=alert]').count()).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      await context.close();
    });

    it('that ended leaves what was typed, and asks over it', async () => {
      const email = 'typing@example.com';
      const { password, page, go, faults, context } = await typeAs(stage, email);
      await logOutEverywhere(stage.server, email, password);
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('[role=alert]:has-text("Your session has ended")');
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      // No Escape shows what is below, and no printer does.
      for (let n = 0; n < 3; n += 1) await page.keyboard.press('Escape');
      expect(await page.isVisible('#main input[name=email]')).toBe(false);
      expect(await page.isVisible('nav')).toBe(false);
      // Nor does Back show another screen.
      await page.goBack();
      // Who has forgotten the password finds the text when coming back.
      // Some are offered only where the server says so.
      await page.locator('dialog.cover a').nth(1).waitFor();
      const links = await page.locator('dialog.cover a').all();
      for (const link of links) expect(await link.getAttribute('target')).toBe('_blank');
      const elsewhere = context.waitForEvent('page');
      await page.click('text=Forgot your password?');
      await (await elsewhere).close();
      await signInOnCover(page, email, password);
      expect(await page.inputValue('dialog input[name=email]')).toBe('typed@example.com');
      expect(page.url()).toContain('/console/people');
      expect(
        await page.evaluate(() => document.activeElement?.closest('#main dialog')),
      ).toBeTruthy();
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog .secret');
      expect(await page.title()).not.toContain('Sign in');
      await page.keyboard.press('Escape');
      // So does what was chosen, and what begins another way of entering it.
      await go('catalog/bank_b.accounts.transaction_history.search');
      await page.selectOption('main select[name=order]', 'asc');
      await endSessions(stage.server, page, email, password);
      await signInOnCover(page, email, password);
      expect(await page.inputValue('main select[name=order]')).toBe('asc');
      await page.fill('main input[name=from_date]', '2026-11-02');
      await page.click('text=Enter as JSON');
      await page.waitForSelector('main textarea[name=params]');
      await endSessions(stage.server, page, email, password);
      await signInOnCover(page, email, password);
      expect(await page.inputValue('main textarea[name=params]')).toContain('2026-11-02');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('that ended leaves no password and no chosen file below the text, and nothing without text', async () => {
      const email = 'nothing-typed@example.com';
      const password = await register(stage.server, email);
      const { page, go, signIn, faults, context } = await visit(stage.browser, stage.server);
      const chooseFile = async () => {
        const chosen = { name: 'own.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.of(1) };
        await page.setInputFiles('#main input[name=certificate]', chosen);
      };
      await signIn(email, password);
      await go('links');
      await page.click('text=Register a link');
      await page.waitForSelector('#main input[name=certificate]');
      await page.fill('#main input[name=display_label]', 'Typed');
      await page.fill('#main input[name=key_password]', password);
      await chooseFile();
      await endSessions(stage.server, page, email, password);
      await signInOnCover(page, email, password);
      expect(await page.inputValue('#main input[name=display_label]')).toBe('Typed');
      expect(await page.inputValue('#main input[name=key_password]')).toBe('');
      expect(await page.inputValue('#main input[name=certificate]')).toBe('');
      await page.fill('#main input[name=display_label]', '');
      await page.fill('#main input[name=key_password]', password);
      await chooseFile();
      await endSessions(stage.server, page, email, password);
      expect(await page.locator('nav').count()).toBe(0);
      await signIn(email, password);
      await go('account');
      await settled(page);
      await page.fill('input[name=current_password]', password);
      await page.click('text=Add an app');
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      await page.fill('dialog input[name=code]', '123456');
      await endSessions(stage.server, page, email, password);
      expect(await page.locator('nav').count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('that ended shows another person nothing of the one before', async () => {
      const email = 'before@example.com';
      const { password, page, faults, context } = await typeAs(stage, email);
      await endSessions(stage.server, page, email, password);
      // The page loads again; what it shows until then, however slow the network is, is written down.
      await page.evaluate(() => {
        const look = () => {
          const isCovered = document.querySelector('dialog.cover') !== null;
          const isThere = document.querySelector('nav') ?? document.title.match('People');
          if (!isCovered && isThere !== null) sessionStorage.setItem('seen', document.title);
        };
        new MutationObserver(look).observe(document, { childList: true, subtree: true });
      });
      const { colleague } = stage;
      await signInOnCover(page, colleague.email, colleague.password);
      await settled(page);
      expect(await page.locator('#main dialog').count()).toBe(0);
      expect(await page.textContent('.who')).not.toContain('홍길동');
      expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBe(null);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is the same in every tab: another person there is shown here, too', async () => {
      const email = 'other-tab@example.com';
      const password = await register(stage.server, email, 'Other Tab');
      const { page, go, signIn, faults, context } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await go('jobs');
      const other = await context.newPage();
      await other.goto(`${stage.server.base_url}/console/`);
      await other.click('text=Sign out');
      await page.waitForSelector('[role=alert]:has-text("Your session has ended")');
      // Signed in again here, and as another person there.
      await page.fill('input[name=email]', stage.colleague.email);
      await page.fill('input[name=password]', stage.colleague.password);
      await page.click('button[type=submit]');
      await settled(page);
      await other.fill('input[name=email]', email);
      await other.fill('input[name=password]', password);
      await other.click('button[type=submit]');
      await page.waitForSelector('.who:has-text("Other Tab")');
      expect(page.url()).toContain('/console/jobs');
      expect(faults).toEqual([]);
      await context.close();
    });
  });
}

/** Leaves an address in a form that is not sent. */
async function typeAs(stage: Stage, email: string) {
  const password = await register(stage.server, email);
  const visited = await visit(stage.browser, stage.server);
  const { page, go, signIn } = visited;
  await signIn(email, password);
  await go('people');
  await page.click('text=Invite');
  await page.fill('dialog input[name=email]', 'typed@example.com');
  return { ...visited, password };
}

async function logOutEverywhere(server: DevServer, email: string, password: string) {
  const bearer = { authorization: `Bearer ${await logIn(server, email, password)}` };
  await server.call('POST', '/v1/auth/logout', { everywhere: true }, bearer);
}

/** Ends them at the server, and lets the page look as it does when the network comes back. */
async function endSessions(server: DevServer, page: Page, email: string, password: string) {
  await logOutEverywhere(server, email, password);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.waitForSelector('[role=alert]:has-text("Your session has ended")');
}

async function signInOnCover(page: Page, email: string, password: string): Promise<void> {
  const cover = page.locator('dialog.cover');
  await cover.locator('input[name=email]').fill(email);
  await cover.locator('input[name=password]').fill(password);
  await cover.locator('button[type=submit]').click();
  await cover.waitFor({ state: 'detached' });
}
