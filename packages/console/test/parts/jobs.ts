import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settled } from '../support/open-browser.ts';
import type { Stage } from '../support/stage.ts';

export function describeJobs(stage: Stage): void {
  describe('jobs', () => {
    it('keeps the filters in the address and cancels what was chosen, after asking', async () => {
      const { page } = stage.owner;
      await stage.server.slowDown('bank_b', 1_500);
      const jobs = await Promise.all(
        Array.from({ length: 3 }, () =>
          stage.server.submit('bank_b.accounts.transaction_history.search', {
            env: 'real_test',
            link: stage.server.account_links.bank_b ?? '',
          }),
        ),
      );
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go('jobs?provider=bank_b');
      await settled(page);
      await page.check(`[aria-label="Select ${jobs[2]}"]`);
      await page.click('text=Cancel 1 selected');
      expect(await page.locator('dialog').textContent()).toContain(jobs[2]);
      await page.click('dialog >> text=Cancel jobs');
      await page.waitForSelector('text=Cancellation requested: 1.');
      await page.selectOption('search select >> nth=0', 'CANCELED');
      await page.waitForURL(/status=CANCELED/);
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
      await stage.server.slowDown('bank_b', 0);
    });

    it('shows a job as a picture, its result as a table and a file for spreadsheets', async () => {
      const { page } = stage.owner;
      const job = await stage.server.submit('bank_b.accounts.transaction_history.search', {
        env: 'real_test',
        link: stage.server.account_links.bank_b ?? '',
      });
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go(`jobs/${job}`);
      await page.click('text=Show result');
      await page.waitForSelector('.track');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click('text=Save as CSV'),
      ]);
      const csv = readFileSync(await download.path(), 'utf8');
      expect(csv.split('\r\n')[0]).toContain('transacted_at');
      expect(csv.split('\r\n').length).toBeGreaterThan(3);
      expect(await page.locator('main').textContent()).toContain('.xlsx');
      expect(await page.locator('main').textContent()).toContain(
        'changgu jobs submit bank_b.accounts',
      );
      const file = await page.request.get(
        (await page.locator('a[download]').getAttribute('href')) ?? '',
      );
      expect(file.status()).toBe(200);
    });

    it('tells that the server is away, and continues when it is back', async () => {
      const { page, context } = stage.owner;
      await stage.owner.go('jobs');
      await settled(page);
      await context.setOffline(true);
      await page.waitForSelector('text=The server cannot be reached.');
      await context.setOffline(false);
      expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
      await page.click('text=Try again');
      await page.waitForSelector('text=The server cannot be reached.', { state: 'detached' });
    });
  });
}
