import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../support/stage.ts';

export function describeConsents(stage: Stage): void {
  describe('consents', () => {
    it('registers one, and renews it at the same link (D103)', async () => {
      const { page } = stage.owner;
      await stage.owner.go('links');
      await page.click('text=Register a link');
      await page.selectOption('dialog select >> nth=0', 'bank_d');
      await page.selectOption('dialog select >> nth=1', 'consent');
      await consent(stage);
      await page.click('dialog >> button[type=submit]');
      await page.waitForURL(/links\/[0-9a-f-]{36}/);
      const link = page.url();

      await page.click('main >> text=Renew');
      await page.waitForSelector('dialog >> text=the accounts and the selection of this link stay');
      await consent(stage);
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog', { state: 'detached' });
      expect(page.url()).toBe(link);
      await page.click('main >> text=Unlink');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('.badge >> text=Unlinked');
    });

    it('asks for another consent screen where another purpose is chosen (D160)', async () => {
      const { page } = stage.owner;
      await stage.owner.go('links');
      await page.click('text=Register a link');
      await page.selectOption('dialog select >> nth=0', 'bank_d');
      await page.selectOption('dialog select >> nth=1', 'consent');
      await page.click('text=Prepare the consent screen');
      await page.waitForSelector('dialog a[target=_blank]');
      await page.selectOption('dialog select[name=purpose]', 'real');
      await page.waitForSelector('dialog a[target=_blank]', { state: 'detached' });
      await page.click('text=Prepare the consent screen');
      // This server knows no real bank.
      const refusal = await page.textContent('dialog [role=alert]');
      expect(refusal).toContain('No address is configured');
      await page.keyboard.press('Escape');
    });
  });
}

/** Consents at the bank in a tab of its own, and brings its two values back. */
async function consent({ owner }: Stage): Promise<void> {
  const { page, context } = owner;
  await page.click('text=Prepare the consent screen');
  const address = await page.getAttribute('dialog a[target=_blank]', 'href');
  const bank = await context.newPage();
  try {
    await bank.goto(address ?? '');
    const { demoMembers } = await import('@changgu/simulators');
    await bank.fill('input[name=id]', demoMembers.corporation.loginId);
    await bank.fill('input[name=password]', demoMembers.corporation.loginPassword);
    await bank.click('button[value=approve]');
    await page.fill('dialog input[name=authorization_code]', await shown(bank, 0));
    await page.fill('dialog input[name=state]', await shown(bank, 1));
  } finally {
    await bank.close();
  }
}

async function shown(bank: Page, nth: number): Promise<string> {
  return (await bank.locator('dd code').nth(nth).textContent()) ?? '';
}
