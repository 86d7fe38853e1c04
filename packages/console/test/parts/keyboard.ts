import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { visit } from '../support/open-browser.ts';
import type { Stage } from '../support/stage.ts';

const MAX_STEPS = 60;

/** Goes forward to the control of this name, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    if ((await focusedName(page)) === name) return;
  }
  throw new Error(`${name} cannot be reached by the keyboard`);
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
  });
}

export function describeKeyboard(stage: Stage): void {
  describe('without a mouse', () => {
    it('one signs in, reads a result, issues a key and keeps the place', async () => {
      const { page, go, context, faults } = await visit(stage.browser, stage.server);
      const job = await stage.server.submit('bank_d.accounts.list');
      await go('');
      await page.waitForSelector('input[name=email]');
      await tabTo(page, 'Email');
      await page.keyboard.type(stage.colleague.email);
      await tabTo(page, 'Password');
      await page.keyboard.type(stage.colleague.password);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#main h1');

      await tabTo(page, 'Jobs');
      await page.keyboard.press('Enter');
      await page.waitForSelector(`tbody a[href$="${job}"]`);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      await page.locator(`tbody a[href$="${job}"]`).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(job));
      await page.waitForSelector('text=Show result');
      await tabTo(page, 'Show result');
      await page.keyboard.press('Enter');
      await page.waitForSelector('text=params_echo');

      await go('keys');
      await page.waitForSelector('text=Issue a key');
      await tabTo(page, 'Issue a key');
      await page.keyboard.press('Enter');
      await tabTo(page, 'Name');
      await page.keyboard.type('By keyboard');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.secret');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      expect(await focusedName(page)).toBe('Issue a key');

      await page.waitForSelector('text=By keyboard');
      await tabTo(page, 'Revoke: By keyboard');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      expect(await focusedName(page)).toBe('Revoke: By keyboard');
      expect(faults).toEqual([]);
      await context.close();
    });
  });
}
