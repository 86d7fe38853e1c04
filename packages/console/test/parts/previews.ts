import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Visit, visit } from '../support/open-browser.ts';
import { faultsOf } from '../support/page-faults.ts';
import type { Stage } from '../support/stage.ts';

/** Files in the page, where they have the least room. */
export function describePreviews(stage: Stage): void {
  describe('previews of files, 360 px wide, dark, in Korean', () => {
    let person: Visit;
    let page: Page;

    beforeAll(async () => {
      const look = { width: 360, colorScheme: 'dark', language: 'ko' } as const;
      person = await visit(stage.browser, stage.server, look);
      ({ page } = person);
      await person.signIn(stage.colleague.email, stage.colleague.password);
      await page.selectOption('select.environment', 'real_test');
    });
    afterAll(() => person.context.close());

    async function openPreview(job: string): Promise<void> {
      await person.go(`jobs/${job}`);
      await page.click('text=결과 보기');
      await page.locator('main button', { hasText: '미리 보기' }).click();
    }

    it('a spreadsheet is accessible and stays within the window', async () => {
      const link = stage.server.account_links.bank_b ?? '';
      const action = 'bank_b.accounts.transaction_history.search';
      await openPreview(await stage.server.submit(action, { env: 'real_test', link }));
      await page.waitForSelector('.sheet td');
      expect(await faultsOf(page)).toEqual([]);
    });

    it('the columns of the result have Korean headings', async () => {
      await page.keyboard.press('Escape');
      const headings = await page.locator('.table thead th').allTextContents();
      expect(headings).toContain('거래일시');
      expect(headings.filter((heading) => /^[a-z_ ]+$/.test(heading))).toEqual([]);
    });

    it('numbers stand below each other in the cards that rows become', async () => {
      const edges = await page.evaluate(() => {
        const row = document.querySelector('.table tr:has(> .numeric)');
        const range = document.createRange();
        return [...(row?.children ?? [])]
          .filter(({ textContent }) => textContent !== '')
          .map((cell) => {
            range.selectNodeContents(cell);
            return Math.round(range.getBoundingClientRect().left);
          });
      });
      const wraps = await page.evaluate(() =>
        [...document.querySelectorAll('.table tbody .numeric')].map(
          (cell) => getComputedStyle(cell).whiteSpace,
        ),
      );
      // A long name of a column would run into its number.
      expect(new Set(wraps)).toEqual(new Set(['normal']));
      expect(edges.length).toBeGreaterThan(3);
      expect(new Set(edges).size).toBe(1);
    });

    it('a PDF is shown within the window', async () => {
      const link = stage.server.account_links.tax_portal ?? '';
      const options = { env: 'real_test', link } as const;
      await stage.server.submit('tax_portal.s1.login', options);
      await openPreview(await stage.server.submit('tax_portal.c1.tax_payment_record', options));
      const frame = page.locator('iframe.preview');
      await frame.waitFor();
      const box = await frame.boundingBox();
      expect(box?.width).toBeGreaterThan(280);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
      expect(person.faults).toEqual([]);
    });
  });
}
