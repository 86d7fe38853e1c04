import { describe, expect, it } from 'vitest';
import type { DevServer } from '../support/dev-server.ts';
import { settled, type Visit } from '../support/open-browser.ts';
import { faultsOf } from '../support/page-faults.ts';
import type { Stage } from '../support/stage.ts';

const CARD_NUMBER = '4330123412341235';

/** In the place of the card before it, if there is one. */
async function registerCard({ page, go }: Visit): Promise<void> {
  await go('billing');
  await page.click('text=/^(Register a card|Replace the card)$/');
  await page.fill('input[name=card_number]', CARD_NUMBER);
  await page.fill('input[name=expiry]', '12/49');
  await page.fill('input[name=card_password]', '12');
  await page.fill('input[name=owner]', '1248100998');
  await page.click('button[value=register]');
  await page.waitForSelector('text=The card has been registered.');
  await page.waitForSelector('dd:has-text("****1235")');
}

function recordInvoice(
  server: DevServer,
  env_scope: string,
  description: string,
): Promise<Response> {
  const item = { quantity: 2, unit_amount_minor: 500, amount_minor: 1_000 };
  return server.call(
    'POST',
    '/v1/admin/invoices',
    {
      organization_id: server.organization_id,
      env_scope,
      subtotal_amount_minor: 1_000,
      tax_amount_minor: 100,
      total_amount_minor: 1_100,
      currency: 'KRW',
      items: [{ ...item, description, item_kind: 'ONE_TIME' }],
    },
    { authorization: `Bearer ${server.admin.token}` },
  );
}

export function describeBilling(stage: Stage): void {
  describe('billing', () => {
    it('asks for nothing that does not exist', async () => {
      const { page, errors } = stage.owner;
      const before = errors.length;
      await stage.owner.go('billing');
      await settled(page);
      await page.waitForSelector('text=No card is registered.');
      expect(errors.slice(before)).toEqual([]);
    });

    it("registers a card on the provider's page, and leaves nothing of it behind", async () => {
      const { page, sent } = stage.owner;
      await registerCard(stage.owner);
      expect(page.url()).toMatch(/\/console\/billing$/);
      expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toMatch(
        /session_proof|auth_key|cus_/,
      );
      const ours = sent.filter((each) => each.startsWith(stage.server.base_url));
      expect(ours.join('\n')).not.toContain(CARD_NUMBER);
      expect(await faultsOf(page)).toEqual([]);
    });

    it('comes back from a canceled registration with the card as it was', async () => {
      const { page } = stage.owner;
      await registerCard(stage.owner);
      await page.click('text=Replace the card');
      await page.click('button[value=cancel]');
      await page.waitForSelector('text=Nothing has changed.');
      await page.waitForSelector('dd:has-text("****1235")');
      expect(page.url()).toMatch(/\/console\/billing$/);
    });

    it('registers nothing for an address made by someone else', async () => {
      const { page, sent } = stage.owner;
      const registrations = () =>
        sent.filter((each) => each.includes('/v1/billing/payment-method')).length;
      const before = registrations();
      await stage.owner.go('billing?card=entered&customer_key=cus_1_1_X&auth_key=bln_x');
      await page.waitForSelector('text=registration was not started in this window');
      expect(registrations()).toBe(before);
      expect(page.url()).toMatch(/\/console\/billing$/);
    });

    it('names who gets the tax invoices, and shows what an invoice is for', async () => {
      const { page, server } = { ...stage.owner, server: stage.server };
      await stage.owner.go('billing');
      await page.click('text=Add a recipient');
      await page.fill('dialog input[name=company_name]', '주식회사 창구데모');
      await page.fill('dialog input[name=business_number]', '1248100998');
      await page.fill('dialog input[name=tax_email]', 'tax@example.com');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dd:has-text("tax@example.com")');
      const recorded = await recordInvoice(server, 'sandbox', 'Something once');
      expect(await recorded.text()).toContain('INV-');
      await stage.owner.go('billing');
      await page.click('[aria-label^="Show: INV-"]');
      await page.waitForSelector('dialog >> text=Something once');
      expect(await page.locator('dialog').textContent()).toContain('₩1,100');
      expect(await faultsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });

    it('shows the invoices of the environment that was chosen', async () => {
      const { page } = stage.owner;
      const recorded = await recordInvoice(stage.server, 'sandbox', 'Seen in the sandbox only');
      const { invoice_number: number }: { invoice_number: string } = await recorded.json();
      await page.selectOption('select.environment', 'sandbox');
      await stage.owner.go('billing');
      await page.waitForSelector(`[aria-label="Show: ${number}"]`);
      await page.selectOption('select.environment', 'real_test');
      await page.waitForSelector('text=There are no invoices');
      expect(await page.locator(`[aria-label="Show: ${number}"]`).count()).toBe(0);
      await page.selectOption('select.environment', 'sandbox');
    });
  });

  it('rotates the secret of a key, for which both work for a while', async () => {
    const { page } = stage.owner;
    await stage.owner.go('keys');
    await page.locator('[aria-label^="Rotate the secret: "]').first().click();
    await page.selectOption('dialog select', '1');
    await page.click('dialog >> button[type=submit]');
    const secret = (await page.locator('.secret').nth(1).textContent()) ?? '';
    expect(secret.length).toBeGreaterThan(20);
    await page.click('text=I have stored it');
    expect(await page.content()).not.toContain(secret);
    const old = await stage.server.call('GET', '/v1/jobs', undefined, { 'x-env-scope': 'sandbox' });
    expect(old.status).toBe(200);
  });
}
