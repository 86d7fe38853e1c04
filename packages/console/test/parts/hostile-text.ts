import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled, type Visit, visit } from '../support/open-browser.ts';
import { type Stage, XSS } from '../support/stage.ts';

/** Fields of answers whose text comes from institutions or people, wherever they stand. */
const FREE_TEXT = new Set([
  'account_holder',
  'branch',
  'content',
  'counterparty',
  'depositor',
  'description',
  'detail',
  'display_label',
  'file_name',
  'filename',
  'issuer',
  'label',
  'masked_account_no',
  'memo',
  'message',
  'name',
  'next_action',
  'plan_name',
  'progress_message',
  'subject',
  'subject_name',
  'title',
  'user_agent',
]);

/** The same answer, with hostile text in every field that others fill. */
function hostile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      FREE_TEXT.has(name) && (typeof each === 'string' || each === null) ? XSS : hostile(each),
    ]),
  );
}

export function describeHostileText(stage: Stage): void {
  describe('hostile text of institutions', () => {
    let person: Visit;
    beforeAll(async () => {
      person = await visit(stage.browser, stage.server);
      await person.signIn(stage.colleague.email, stage.colleague.password);
    });
    afterAll(() => person.context.close());

    /** Nothing of it became an element, an address or a call. */
    async function expectHarmless(): Promise<void> {
      const { page } = person;
      const harmful = 'main img, main script, main svg[onload], a[href^="javascript:" i]';
      expect(await page.locator(harmful).count()).toBe(0);
      expect(person.faults).toEqual([]);
    }

    it('is shown as text in a memo, in its file for spreadsheets and in params', async () => {
      const { page } = person;
      const { demoAccounts } = await import('@changgu/simulators');
      const hostileMovement = { deposit_amount: 1, description: XSS, counterparty: XSS, memo: XSS };
      for (const { accountNo } of demoAccounts.bank_c) {
        const answer = await fetch(
          `${stage.server.simulators.control_url}/bank-accounts/${accountNo}/transactions`,
          {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(hostileMovement),
          },
        );
        expect(answer.status).toBe(201);
      }
      const job = await stage.server.submit('bank_c.accounts.transaction_history.search', {
        env: 'real_test',
        link: stage.server.account_links.bank_c ?? '',
      });
      await page.selectOption('select.environment', 'real_test');
      await person.go(`jobs/${job}`);
      await page.click('text=Show result');
      await page.waitForSelector('td:has-text("onerror=alert(1)")');
      await expectHarmless();
      await page.locator('main button', { hasText: 'Preview' }).first().click();
      await page.waitForSelector('.sheet td:has-text("onerror=alert(1)")');
      await expectHarmless();
      await page.keyboard.press('Escape');
      await page.selectOption('select.environment', 'sandbox');
      const params = { srch_txt: XSS };
      const echoed = await stage.server.submit('si_edi.b1.resources.faqs.list', { params });
      await person.go(`jobs/${echoed}`);
      await page.click('text=Show result');
      await page.waitForSelector('.code:has-text("onerror")');
      await page.click('main button:has-text("SDK")');
      await expectHarmless();
    });

    it('is shown as text wherever an answer has text of others', async () => {
      const { page } = person;
      await page.route('**/v1/**', async (route) => {
        if (route.request().url().includes('/events')) return route.continue();
        const answer = await route.fetch();
        const isJson = answer.headers()['content-type']?.startsWith('application/json') ?? false;
        return isJson
          ? route.fulfill({ response: answer, json: hostile(await answer.json()) })
          : route.fulfill({ response: answer });
      });
      const job = await stage.server.submit('bank_a.accounts.list', { outcome: 'FAILED' });
      const link = `links/${stage.server.account_links.bank_c}`;
      const paths = ['', 'jobs', `jobs/${job}`, 'runs', 'links', link, 'catalog', 'keys'];
      for (const path of [...paths, 'webhooks', 'people', 'billing', 'audit', 'account']) {
        await person.go(path);
        await settled(page);
        await expectHarmless();
      }
      await page.unrouteAll({ behavior: 'wait' });
    });
  });
}
