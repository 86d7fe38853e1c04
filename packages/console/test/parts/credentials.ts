import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PLAIN, settled, type Visit, visit } from '../support/open-browser.ts';
import { type Stage, XSS } from '../support/stage.ts';

/** Shows the link of a demo certificate, which is the same however often it is registered. */
async function linkCertificate({ page, go }: Visit, label?: string): Promise<void> {
  const { demoCertificates } = await import('@changgu/simulators');
  const { password } = demoCertificates.soleProprietor;
  await go('links');
  await page.click('text=Register a link');
  await page.selectOption('dialog select >> nth=0', 'tax_portal');
  await chooseCertificate(page);
  await page.fill('dialog input[name=key_password]', password);
  if (label !== undefined) await page.fill('dialog input[name=display_label]', label);
  await page.click('dialog >> button[type=submit]');
  await page.waitForURL(/links\/[0-9a-f-]{36}/);
  await page.waitForSelector('main .facts');
}

async function chooseCertificate(page: Page): Promise<void> {
  const { demoCertificates } = await import('@changgu/simulators');
  const { certificateDer, encryptedKeyDer } = demoCertificates.soleProprietor;
  const files = { certificate: certificateDer, key: encryptedKeyDer };
  for (const [name, buffer] of Object.entries(files)) {
    const file = { name: `${name}.der`, mimeType: 'application/octet-stream', buffer };
    await page.setInputFiles(`dialog input[name=${name}]`, file);
  }
}

export function describeCredentials(stage: Stage): void {
  describe('links', () => {
    it('registers a certificate and its key from one file', async () => {
      const { page, sent } = stage.owner;
      const fixtures = new URL('../../../server/test/fixtures/certificates/', import.meta.url);
      await stage.owner.go('links');
      await page.click('text=Register a link');
      await page.selectOption('dialog select >> nth=0', 'tax_portal');
      const buffer = await readFile(new URL('aes-256.p12', fixtures));
      const file = { name: 'person.PFX', mimeType: 'application/x-pkcs12', buffer };
      await page.setInputFiles('dialog input[name=certificate]', file);
      await page.waitForSelector('dialog input[name=key]', { state: 'detached' });
      const password = await readFile(new URL('password.txt', fixtures), 'utf8');
      await page.fill('dialog input[name=key_password]', password);
      await page.click('dialog >> button[type=submit]');
      await page.waitForURL(/links\/[0-9a-f-]{36}/);
      await page.waitForSelector('main .facts:has-text("홍길동")');
      expect(sent.join('\n')).not.toContain(buffer.toString('base64').slice(0, 40));
    });

    it('registers a certificate that leaves the page encrypted only', async () => {
      const { page, sent } = stage.owner;
      const { demoCertificates } = await import('@changgu/simulators');
      const { encryptedKeyDer, password } = demoCertificates.soleProprietor;
      await linkCertificate(stage.owner, XSS.slice(0, 100));
      expect(await page.locator('main h1').textContent()).toContain('<img src=x onerror=alert(1)>');
      const everything = sent.join('\n');
      expect(everything).toContain('encrypted_pw');
      expect(everything).not.toContain(password);
      expect(everything).not.toContain(encryptedKeyDer.toString('base64').slice(0, 40));
    });

    it('renews the credential and keeps the link, and replaces what was selected', async () => {
      const { page, sent } = stage.owner;
      const { demoCertificates } = await import('@changgu/simulators');
      const { password } = demoCertificates.soleProprietor;
      await linkCertificate(stage.owner);
      const before = page.url();
      await page.click('main >> text=Renew');
      await page.waitForSelector('dialog >> text=replaces the stored one');
      await chooseCertificate(page);
      await page.fill('dialog input[name=key_password]', password);
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog', { state: 'detached' });
      expect(page.url()).toBe(before);
      expect(sent.join('\n')).not.toContain(password);
      await page.click('text=Change the selection');
      await page.fill('dialog textarea', '[]');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog textarea[aria-invalid=true]:focus');
      await page.fill('dialog textarea', '{"bsno": "1248100998"}');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('main dt:has-text("bsno")');
    });

    it('names what unlinking does before it does it', async () => {
      const { page } = stage.owner;
      await linkCertificate(stage.owner);
      await page.click('main >> text=Unlink');
      expect(await page.locator('dialog').textContent()).toContain('erased at once');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      await page.click('main >> text=Unlink');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('.badge >> text=Unlinked');
    });

    it('registers a login for the purpose that was chosen, and renews it for no other (D160)', async () => {
      const { page, sent } = stage.owner;
      const already = sent.length;
      await stage.owner.go('links');
      await page.click('text=Register a link');
      await page.selectOption('dialog select >> nth=0', 'bank_b');
      await page.selectOption('dialog select >> nth=1', 'id_password');
      await page.selectOption('dialog select[name=purpose]', 'real');
      await page.fill('dialog input[name=login_id]', 'purpose-of-kim');
      await page.fill('dialog input[name=login_password]', 'demo1234!');
      await page.click('dialog >> button[type=submit]');
      await page.waitForURL(/links\/[0-9a-f-]{36}/);
      await page.waitForSelector('main .facts:has-text("Real account")');
      const link = page.url();
      await page.click('main >> text=Renew');
      await page.fill('dialog input[name=login_id]', 'purpose-of-kim');
      await page.fill('dialog input[name=login_password]', 'demo4321!');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog', { state: 'detached' });
      // The server of this test knows test addresses only, and would have made another, a test link.
      const asked = sent.slice(already).filter((each) => each.includes('/v1/credentials/link '));
      expect(asked.map((each) => /"purpose":"(\w+)"/.exec(each)?.[1])).toEqual(['real', 'real']);
      expect(page.url()).toBe(link);
      await stage.owner.go('links');
      const row = page.locator('tr', { has: page.locator(`a[href$="${link.split('/').at(-1)}"]`) });
      expect(await row.textContent()).toContain('Real account');
      await stage.owner.go(`links/${link.split('/').at(-1)}`);
      await page.click('main >> text=Unlink');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('.badge >> text=Unlinked');
    });

    it('links the account of a business, and replaces the password that its bank refused (D51, D108)', async () => {
      const { page, sent } = stage.owner;
      await stage.owner.go('links');
      await page.click('text=Register a link');
      await page.selectOption('dialog select >> nth=0', 'bank_b');
      await page.selectOption('dialog select >> nth=1', 'id_password');
      await page.fill('dialog input[name=login_id]', 'business-of-kim');
      await page.fill('dialog input[name=login_password]', 'demo1234!');
      await page.fill('dialog input[name=biz_number]', '124-81-00998');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('main .facts:has-text("124-81-00998")');
      const link = page.url().split('/').at(-1) ?? '';
      await page.click('text=Register an account');
      await page.fill('dialog input[name=account_no]', '110222330401');
      await page.fill('dialog input[name=account_password]', '1234');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('td:has-text("110*****0401"), th:has-text("110*****0401")');

      const action = 'bank_b.accounts.transaction_history.search';
      const job = await stage.server.submit(action, { env: 'real_test', link });
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go(`jobs/${job}`);
      // The bank was asked: without the number of its owner the account could not be.
      await page.waitForSelector('text=PROVIDER_CREDENTIAL_REJECTED');
      await stage.owner.go(`links/${link}`);
      const row = page.locator('tr', { hasText: '0401' });
      await row.getByText('Suspended').waitFor();
      await row.getByText('Replace password').click();
      await page.fill('dialog input[name=account_password]', '4321');
      await page.click('dialog >> button[type=submit]');
      await row.getByText('Active').waitFor();
      expect(sent.join('\n')).not.toMatch(/"account_password":"\d{4}"/);

      await page.selectOption('select.environment', 'sandbox');
      await page.click('main >> text=Renew');
      expect(await page.inputValue('dialog input[name=biz_number]')).toBe('1248100998');
      await page.keyboard.press('Escape');
      await page.click('main >> text=Unlink');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('.badge >> text=Unlinked');
    });

    it('counts in every environment what unlinking cancels (D22, D105)', async () => {
      const { page } = stage.owner;
      const waiting = { sandbox: 0, real_test: 2, production: 100 };
      await stage.owner.go(`links/${stage.server.account_links.bank_c}`);
      await page.route('**/v1/jobs?account_link_id=*', async (route) => {
        const scope = await route.request().headerValue('x-env-scope');
        const items = Array.from({ length: Reflect.get(waiting, scope ?? '') }, () => ({}));
        await route.fulfill({ json: { items, next_cursor: items.length < 100 ? null : 'more' } });
      });
      await page.click('main >> text=Unlink');
      const counts = await page.locator('dialog li', { hasText: 'Jobs queued' }).textContent();
      expect(counts).toContain('Sandbox 0, Real test 2, Production 100+');
      await page.keyboard.press('Escape');
      await page.unroute('**/v1/jobs?account_link_id=*');
    });

    it('makes another account the default', async () => {
      const { page, sent } = stage.owner;
      await stage.owner.go(`links/${stage.server.account_links.bank_c}`);
      const buttons = page.locator('text=Make default');
      await buttons.first().waitFor();
      const before = await buttons.count();
      await page.route('**/default', (route) => route.abort());
      await buttons.first().click();
      await page.waitForSelector('td [role=alert]');
      await page.unroute('**/default');
      await buttons.first().click();
      await page.waitForFunction(
        (count) =>
          [...document.querySelectorAll('button')].filter(
            ({ textContent }) => textContent === 'Make default',
          ).length === count,
        before,
      );
      expect(sent.join('\n')).toContain('/default');
    });
  });

  describe('keys', () => {
    it('keeps what a row offers within a window that the menu narrows', async () => {
      const { page } = stage.owner;
      await stage.owner.go('keys');
      const revoke = page.locator('[aria-label^="Revoke: "]').first();
      await revoke.waitFor();
      await page.setViewportSize({ width: 768, height: 800 });
      const box = await revoke.boundingBox();
      await page.setViewportSize({ width: PLAIN.width, height: 800 });
      expect((box?.x ?? 768) + (box?.width ?? 0)).toBeLessThan(768);
    });

    it('shows a new secret once, stores it nowhere, and revokes the key after asking', async () => {
      const { page } = stage.owner;
      await stage.owner.go('keys');
      await page.click('text=Issue a key');
      await page.fill('dialog input[name=label]', XSS.slice(0, 90));
      await page.click('dialog >> button[type=submit]');
      const secret = (await page.locator('.secret').nth(1).textContent()) ?? '';
      expect(secret.length).toBeGreaterThan(20);
      await page.click('text=I have stored it');
      const kept = await page.evaluate(() =>
        JSON.stringify([
          document.documentElement.outerHTML,
          localStorage,
          sessionStorage,
          document.cookie,
          window.location.href,
          window.history.state,
        ]),
      );
      expect(kept).not.toContain(secret);
      expect(kept).toContain('changgu.preferences');
      await page.locator('tr', { hasText: 'onerror' }).getByText('Revoke').click();
      expect(await page.locator('dialog').textContent()).toContain('refused at once');
      await page.click('dialog >> button[type=submit]');
      await page.waitForFunction(() => !document.body.textContent?.includes('onerror'));
    });

    it('offers no reason and no kind of key that members are always refused (R90, R91, D105)', async () => {
      const { page } = stage.owner;
      const choices = () => page.locator('dialog option').allTextContents();
      await stage.owner.go('keys');
      await page.click('text=Issue a key');
      expect(await choices()).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('[aria-label^="Revoke: "]').first().click();
      expect(await choices()).toEqual([]);
      await page.keyboard.press('Escape');
      await stage.owner.go(`links/${stage.server.account_links.bank_a}`);
      await page.click('main >> text=Unlink');
      expect(await choices()).toEqual([]);
      await page.keyboard.press('Escape');
    });

    it('lists every right of a key (D147, D169)', async () => {
      const { page } = stage.owner;
      const label = 'All rights';
      await stage.owner.go('keys');
      await page.click('text=Issue a key');
      await page.fill('dialog input[name=label]', label);
      await page.check('dialog input[name=allow_irreversible_tools]');
      await page.check('dialog input[name=manage_webhooks]');
      await page.click('dialog >> button[type=submit]');
      await page.click('text=I have stored it');
      const row = page.locator('tr', { hasText: label });
      expect(await row.textContent()).toContain(
        'Offer irreversible actions to AI agents, Manage webhooks, All actions',
      );
      await row.getByText('Revoke').click();
      await page.click('dialog >> button[type=submit]');
      await row.waitFor({ state: 'detached' });
    });

    it('tries an action of the catalog with a key that does not outlive the try', async () => {
      const { page } = stage.owner;
      await stage.owner.go('catalog/bank_a.accounts.list');
      await page.click('main >> button[type=submit]');
      await page.waitForURL(/jobs\/job_/);
      await page.click('text=Show result');
      await page.waitForSelector('text=params echo');
      await stage.owner.go('keys');
      await settled(page);
      expect(await page.locator('main').textContent()).not.toContain('console: bank_a');
    });

    it('shows the job of a try whose key could not be revoked, which expires by itself', async () => {
      const { page, sent } = stage.owner;
      await page.route('**/revoke', (route) => route.abort());
      const asked = page.waitForRequest((request) => request.url().endsWith('/revoke'));
      await stage.owner.go('catalog/bank_d.accounts.list');
      await page.click('main >> button[type=submit]');
      await page.waitForURL(/jobs\/job_/);
      await asked;
      await page.unroute('**/revoke');
      const issued = sent.findLast((each) => each.includes('/v1/app-credentials {')) ?? '';
      const until = /"expires_at":"([^"]+)"/.exec(issued)?.[1] ?? '';
      const minutes = (Date.parse(until) - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(1);
      expect(minutes).toBeLessThanOrEqual(10);
      await stage.owner.go('keys');
      await page.click('[aria-label="Revoke: console: bank_d.accounts.list"]');
      await page.click('dialog >> button[type=submit]');
      await page.waitForFunction(() => !document.body.textContent?.includes('console: bank_d'));
    });

    it('tries an action also where the clock of the browser is slow', async () => {
      const { page, go, signIn, context } = await visit(stage.browser, stage.server);
      await page.clock.setFixedTime('2020-02-20T20:20:20Z');
      await signIn(stage.colleague.email, stage.colleague.password);
      await go('catalog/bank_d.accounts.list');
      await page.click('main >> button[type=submit]');
      await page.waitForURL(/jobs\/job_/);
      expect(await page.locator('main [role=alert]').count()).toBe(0);
      await context.close();
    });
  });
}
