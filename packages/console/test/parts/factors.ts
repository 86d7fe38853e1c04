import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator } from '../support/authenticator.ts';
import { PLAIN, settled, type Visit, visit } from '../support/open-browser.ts';
import { faultsOf } from '../support/page-faults.ts';
import { inviteOnly, logIn, register } from '../support/people.ts';
import type { Stage } from '../support/stage.ts';

/** Passkeys need a name: the same server, called `localhost`. */
export function describeFactors(stage: Stage): void {
  describe('second factors and passkeys', () => {
    const email = 'factors@example.com';
    let person: Visit;
    let page: Page;
    let password = '';

    beforeAll(async () => {
      password = await register(stage.server, email);
      const base_url = stage.server.base_url.replace('127.0.0.1', 'localhost');
      person = await visit(stage.browser, { ...stage.server, base_url }, PLAIN);
      ({ page } = person);
      await addAuthenticator(page);
      await person.signIn(email, password);
    });
    afterAll(() => person.context.close());

    const onPage = () =>
      page.evaluate(() =>
        JSON.stringify([
          document.documentElement.outerHTML,
          localStorage,
          sessionStorage,
          window.location.href,
        ]),
      );
    const openAccount = async () => {
      await person.go('account');
      await settled(page);
    };
    const askFor = (name: string) => page.getByRole('button', { name, exact: true }).click();

    let shown: readonly string[] | undefined;
    /** Once for all tests that need it, in whichever order they run. Answers the recovery codes. */
    const addPasskey = async () => {
      if (shown !== undefined) return shown;
      await openAccount();
      await askFor('Add a passkey');
      await page.fill('dialog input[name=label]', '<img src=x onerror=alert(1)>');
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      const codes = page.locator('.recovery-codes code');
      await codes.first().waitFor();
      shown = await codes.allTextContents();
      await askFor('I have stored them');
      await page.waitForSelector('dialog', { state: 'detached' });
      return shown;
    };

    it('adds a passkey and shows the recovery codes once', async () => {
      const codes = await addPasskey();
      const [first = ''] = codes;
      expect(codes.length).toBe(10);
      expect(await onPage()).not.toContain(first);
      await page.waitForSelector('tr:has-text("<img src=x onerror=alert(1)>")');
    });

    it('signs in with the passkey alone, also where a code is asked for', async () => {
      await addPasskey();
      await page.click('nav >> text=Sign out');
      await page.waitForSelector('input[name=email]');
      await askFor('Sign in with a passkey');
      await page.waitForSelector('#main h1');
      await page.click('nav >> text=Sign out');
      await page.fill('input[name=email]', email);
      await page.fill('input[name=password]', password);
      await page.click('button[type=submit]');
      await page.waitForSelector('input[name=factor_code]:focus');
      await page.fill('input[name=factor_code]', '000000');
      await page.click('button[type=submit]');
      await page.waitForSelector('input[name=factor_code][aria-invalid=true]:focus');
      await askFor('Sign in with a passkey');
      await page.waitForSelector('#main h1');
      expect(person.faults).toEqual([]);
    });

    it('accepts an invitation with the passkey of the account (D168)', async () => {
      await addPasskey();
      const { server } = stage;
      const inviter = 'inviter@example.com';
      const token = await logIn(server, inviter, await register(server, inviter));
      const link = await inviteOnly(server, token, email);
      await page.goto(link.replace('127.0.0.1', 'localhost'));
      await page.fill('input[name=password]', password);
      await page.click('button[type=submit]');
      await page.waitForSelector('select[name=by]:focus');
      await page.selectOption('select[name=by]', 'passkey');
      await page.click('button[type=submit]');
      await page.waitForSelector('text=You have joined');
      await page.click('text=Go to sign-in');
      await askFor('Sign in with a passkey');
      await page.waitForSelector('#main h1');
      expect(person.faults).toEqual([]);
    });

    it('adds an app by a QR code, after the passkey was proven', async () => {
      await openAccount();
      await askFor('Add an app');
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('svg.qr[role=img]');
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await faultsOf(page), String(width)).toEqual([]);
      }
      const secret = ((await page.locator('dialog .secret').textContent()) ?? '').replaceAll(
        ' ',
        '',
      );
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      await page.fill('dialog input[name=code]', code);
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('.recovery-codes');
      await askFor('I have stored them');
      expect(await onPage()).not.toContain(secret);
      // Gone once the list has been read again.
      await page.waitForSelector('button:has-text("Add an app")', { state: 'detached' });
    });

    it('renames a factor, and says what removing it does before it does it', async () => {
      await addPasskey();
      await openAccount();
      const row = page.locator('tr', { hasText: 'onerror' });
      await row.getByText('Rename').click();
      await page.fill('dialog input[name=label]', '업무용 노트북');
      await page.click('dialog >> button[type=submit]');
      const renamed = page.locator('tr', { hasText: '업무용 노트북' });
      await renamed.getByText('Remove').click();
      expect(await page.locator('dialog').textContent()).toContain('every session ends');
      expect(await faultsOf(page)).toEqual([]);
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      // This session too.
      await page.waitForSelector('input[name=email]');
      expect(person.faults).toEqual([]);
    });

    it('refuses the removed passkey, and says so', async () => {
      await askFor('Sign in with a passkey');
      await page.waitForSelector('[role=alert]');
      expect(await page.locator('[role=alert]').textContent()).toContain('not valid');
    });
  });
}
