import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/behind-prefix.ts';
import { settled, visit } from '../support/open-browser.ts';
import type { Stage } from '../support/stage.ts';

export function describeLive(stage: Stage): void {
  describe('what happens, as it happens', () => {
    const submit = () => stage.server.submit('bank_a.accounts.list');
    const isIn = (page: Page, state: string) =>
      page.waitForSelector(`.live[data-state=${state}]`, { timeout: 15_000 });

    it('shows a new job in the list and its end, by events alone', async () => {
      const { page, sent } = stage.owner;
      await page.selectOption('select.environment', 'sandbox');
      await stage.owner.go('jobs');
      await isIn(page, 'live');
      const asked = () => sent.filter((each) => each.includes('/v1/jobs?')).length;
      await settled(page);
      const job = await submit();
      await page.waitForSelector(`tr:has(a[href$="${job}"]) .badge.good`);
      const before = asked();
      await page.click('text=Pause');
      await isIn(page, 'paused');
      const unseen = await submit();
      expect(asked() - before).toBeLessThan(2);
      expect(await page.locator(`a[href$="${unseen}"]`).count()).toBe(0);
      await page.click('text=Resume');
      await page.waitForSelector(`a[href$="${unseen}"]`);
    });

    it('follows a running job to its end on its page', async () => {
      const { page } = stage.owner;
      await stage.server.slowDown('bank_b', 700);
      const job = await stage.server.submit('bank_b.accounts.transaction_history.search', {
        env: 'real_test',
        link: stage.server.account_links.bank_b ?? '',
      });
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go(`jobs/${job}`);
      await isIn(page, 'live');
      await page.waitForSelector('.facts .badge.good');
      await page.waitForSelector('.live', { state: 'detached' });
      expect(await page.locator('.timeline li.good').count()).toBe(1);
      const steps = await page.locator('.timeline').textContent();
      expect(steps).toContain('Connecting to the bank');
      expect(steps).not.toMatch(/[가-힣]/);
      await stage.server.slowDown('bank_b', 0);
      await page.selectOption('select.environment', 'sandbox');
    });

    it('resumes behind the last event after a break', async () => {
      const proxy = await startProxy(stage.server.base_url, '/bank/window');
      const { page, faults, context } = await visit(stage.browser, stage.server);
      const streams: (string | undefined)[] = [];
      page.on('request', async (request) => {
        if (!request.url().includes('/v1/events')) return;
        streams.push((await request.allHeaders())['last-event-id']);
      });
      await page.goto(`${proxy.url}/console/jobs`);
      await page.fill('input[name=email]', stage.server.console.email);
      await page.fill('input[name=password]', stage.server.console.password);
      await page.click('button[type=submit]');
      await isIn(page, 'live');
      proxy.breakConnections();
      await isIn(page, 'offline');
      const job = await submit();
      await isIn(page, 'live');
      await page.waitForSelector(`a[href$="${job}"]`);
      expect(streams[0]).toBeUndefined();
      await expect.poll(() => streams.at(-1)).toMatch(/^evt_/);
      expect(faults).toEqual([]);
      await context.close();
      await proxy.close();
    });

    it('asks now and then where a stream is refused', async () => {
      const { page, faults, go, signIn, context } = await visit(stage.browser, stage.server);
      await page.route('**/v1/events*', (route) => route.fulfill({ status: 429 }));
      await signIn(stage.server.console.email, stage.server.console.password);
      await go('jobs');
      await isIn(page, 'polling');
      const job = await submit();
      await page.waitForSelector(`a[href$="${job}"]`);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('goes to older jobs by address and back', async () => {
      const { page } = stage.owner;
      await Promise.all(Array.from({ length: 51 }, submit));
      await page.selectOption('select.environment', 'sandbox');
      await stage.owner.go('jobs');
      await settled(page);
      const first = await page.locator('tbody th a').first().getAttribute('href');
      await page.click('text=Older jobs');
      await page.waitForURL(/cursor=/);
      await page.waitForFunction(
        (href) => document.querySelector('tbody th a')?.getAttribute('href') !== href,
        first,
      );
      await page.goBack();
      await page.waitForSelector(`a[href="${first}"]`);
      expect(await page.locator('tbody tr').count()).toBe(50);
    });
  });

  it('is met by a stranger without an error', async () => {
    const { page, go, errors, context } = await visit(stage.browser, stage.server);
    await go('');
    await page.waitForSelector('input[name=email]');
    expect(errors).toEqual([]);
    await context.close();
  });
}
