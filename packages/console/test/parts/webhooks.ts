import { describe, expect, it } from 'vitest';
import { settled } from '../support/open-browser.ts';
import { faultsOf } from '../support/page-faults.ts';
import { type Stage, XSS } from '../support/stage.ts';

export function describeWebhooks(stage: Stage): void {
  describe('webhooks', () => {
    const ask = (name: string) =>
      stage.owner.page.getByRole('button', { name, exact: true }).first().click();

    it('adds one, whose secret is shown once and stored nowhere', async () => {
      const { page } = stage.owner;
      await stage.owner.go('webhooks');
      await settled(page);
      await ask('Add a webhook');
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await faultsOf(page), String(width)).toEqual([]);
      }
      await page.fill('dialog input[name=url]', 'http://127.0.0.1:9/hook');
      await page.fill('dialog input[name=description]', XSS.slice(0, 200));
      // Jobs of other tests end meanwhile, and do not concern this endpoint.
      await page.uncheck('dialog input[value="job.finished"]');
      await page.getByLabel('Invoice refunded', { exact: true }).check();
      // Reserved: an endpoint would hear nothing of it.
      expect(await page.locator('dialog input[value="job.input_required"]').count()).toBe(0);
      await page.click('dialog >> button[type=submit]');
      const secret = (await page.locator('.secret').textContent()) ?? '';
      expect(secret).toMatch(/^whsec_/);
      await ask('I have stored it');
      await page.waitForSelector('dialog', { state: 'detached' });
      const kept = await page.evaluate(() =>
        JSON.stringify([document.documentElement.outerHTML, localStorage, sessionStorage]),
      );
      expect(kept).not.toContain(secret);
    });

    it('sends a test and lists it, rotates the secret, and deletes after asking', async () => {
      const { page } = stage.owner;
      await page.click('main >> text=127.0.0.1:9/hook');
      await page.waitForSelector('text=Nothing has been sent.');
      await ask('Send a test');
      await page.waitForSelector('tr:has-text("webhook.test")');
      expect(await faultsOf(page)).toEqual([]);
      await ask('Rotate the secret');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('.secret');
      await ask('I have stored it');
      await ask('Delete');
      expect(await page.locator('dialog').textContent()).toContain('its delivery log is deleted');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('text=There is no endpoint yet.');
    });
  });
}
