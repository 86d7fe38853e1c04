import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../support/open-browser.ts';
import type { Stage } from '../support/stage.ts';

const DAY = '2026-11-21T09:00:00+09:00';

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
      // However long the page is, the whole menu is in the window, also before the page is scrolled.
      await page.evaluate(() => window.scrollTo(0, 0));
      const menu = await page.locator('nav').boundingBox();
      const height = page.viewportSize()?.height ?? 0;
      expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThanOrEqual(height);
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

    it('shows the request, a command that runs it again, and the first rows of a spreadsheet', async () => {
      const { page } = stage.owner;
      const link = stage.server.account_links.bank_b ?? '';
      const job = await stage.server.submit('bank_b.accounts.transaction_history.search', {
        env: 'real_test',
        link,
        params: { from_date: '20261101', to_date: '20261120' },
      });
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go(`jobs/${job}`);
      await page.waitForSelector(`text=--link ${link}`);
      // It changed nothing at the institution.
      expect(await page.locator('text=Save the receipt').count()).toBe(0);
      const main = page.locator('main');
      expect(await main.textContent()).toContain('-p from_date=20261101');
      // Nothing of it is masked.
      expect(await main.textContent()).not.toMatch(/fill \w+ in/i);
      await page.click('text=Show result');
      await page.click('main button:has-text("Preview")');
      await page.waitForSelector('.sheet td');
      expect(await page.locator('.sheet tr').count()).toBeGreaterThan(2);
      expect(await page.locator('dialog .notice').count()).toBe(0);
      await page.keyboard.press('Escape');
    });

    it('names its filters and its environment in an address that shows the same to a colleague', async () => {
      const { page, go } = stage.owner;
      const link = stage.server.account_links.bank_b ?? '';
      const action = 'bank_b.accounts.transaction_history.search';
      const job = await stage.server.submit(action, { env: 'real_test', link });
      await page.selectOption('select.environment', 'real_test');
      await go('keys');
      await go(`jobs?link=${link}`);
      await page.waitForURL(/env=real_test/);
      const { search } = new URL(page.url());
      // The colleague has chosen another environment.
      await page.selectOption('select.environment', 'sandbox');
      await page.waitForURL(/env=sandbox/);
      await go('keys');
      await go(`jobs${search}`);
      await page.locator(`a[href$="${job}"]`).waitFor();
      expect(await page.inputValue('select.environment')).toBe('real_test');
      // No filter is hidden: the link is named, too.
      const filter = page.getByLabel('Link', { exact: true });
      await filter.locator('option:checked', { hasText: 'Bank B' }).waitFor({ state: 'attached' });
      expect(await filter.inputValue()).toBe(link);
      await page.click(`a[href$="${job}"]`);
      await page.waitForSelector('text=Show result');
      // A job of another environment is not missing, it is there.
      await page.selectOption('select.environment', 'production');
      await page.click('main >> text=Show it in Real test');
      await page.waitForSelector('text=Show result');
      await page.waitForURL(/env=real_test/);
      await page.click('main >> text="Jobs"');
      await page.waitForURL((url) => url.pathname === '/console/jobs' && url.search === search);
      await page.selectOption('select.environment', 'sandbox');
    });

    it('says why a cancellation was refused, on the page of the job', async () => {
      const { page } = stage.owner;
      await page.selectOption('select.environment', 'sandbox');
      const job = await stage.server.submit('bank_a.accounts.list');
      await stage.owner.go(`jobs/${job}`);
      await page.waitForSelector('text=Show result');
      // It ends while the person reads what canceling does.
      await page.route(`**/v1/jobs/${job}`, async (route) => {
        const answer = await route.fetch();
        const read: object = await answer.json();
        await route.fulfill({ json: { ...read, status: 'RUNNING' } });
      });
      await stage.owner.go('jobs');
      await stage.owner.go(`jobs/${job}`);
      await page.click('text=Cancel job');
      await page.click('dialog >> button[type=submit]');
      const refusal = page.locator('dialog [role=alert]');
      await refusal.waitFor();
      expect(await refusal.textContent()).toContain('JOB_ALREADY_FINISHED');
      await page.keyboard.press('Escape');
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('quotes what others wrote in the command that runs a job again', async () => {
      const { page } = stage.owner;
      const params = {
        'x;echo harm >&2;#': 1,
        "it's $(echo harm)": 'a\r\u001b[201~`echo`',
        나: '가 나',
        account_no: '110-234-567890',
      };
      const job = await stage.server.submit('bank_a.accounts.list', { params });
      await page.selectOption('select.environment', 'sandbox');
      await stage.owner.go(`jobs/${job}`);
      const code = page.locator('section[aria-label=CLI] code');
      await code.waitFor();
      const command = (await code.textContent()) ?? '';
      // What a terminal would take for a key.
      expect(command).not.toMatch(/[^\P{Cc}\n]/u);
      const said = spawnSync('sh', ['-c', `changgu() { printf '%s\\0' "$@"; }\n${command}`]);
      const masked = { ...params, account_no: '****7890' };
      await page.waitForSelector('main >> text=Fill these in before you run it: account_no');
      const given = Object.entries(masked).flatMap(([name, value]) => ['-p', `${name}=${value}`]);
      expect(String(said.stderr)).toBe('');
      const words = String(said.stdout).split('\0').slice(0, -1);
      expect(words.slice(0, 3)).toEqual(['jobs', 'submit', 'bank_a.accounts.list']);
      expect(words.slice(words.indexOf('--wait') + 1)).toEqual(given);
    });

    it("shows a certificate in the browser's own viewer", async () => {
      const { page } = stage.owner;
      const link = stage.server.account_links.tax_portal ?? '';
      const options = { env: 'real_test', link } as const;
      await stage.server.submit('tax_portal.s1.login', options);
      const action = 'tax_portal.c1.tax_payment_record';
      const job = await stage.server.submit(action, options);
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go(`jobs/${job}`);
      await page.click('text=Show result');
      await page.click('main button:has-text("Preview")');
      const frame = page.locator('iframe.preview');
      await frame.waitFor();
      expect(await frame.getAttribute('src')).toMatch(/^blob:/);
      await page.keyboard.press('Escape');
      const [receipt] = await Promise.all([
        page.waitForEvent('download'),
        page.click('text=Save the receipt'),
      ]);
      expect(readFileSync(await receipt.path(), 'utf8')).toContain(job);
    });

    it('finds jobs by text, and keeps a view under a name', async () => {
      const { page } = stage.owner;
      await page.selectOption('select.environment', 'sandbox');
      await stage.server.submit('bank_c.accounts.list', { outcome: 'FAILED' });
      await stage.owner.go('jobs');
      await settled(page);
      await page.fill('input[name=q]', 'bank_c.accounts');
      await page.waitForURL(/q=bank_c/);
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
      await page.click('text=Save this view');
      await page.fill('dialog input[name=name]', 'Failures of C');
      await page.click('dialog >> button[type=submit]');
      await page.click('text=Clear filters');
      await page.click('.chip >> text=Failures of C');
      await page.waitForURL(/q=bank_c/);
      expect(await page.inputValue('input[name=q]')).toBe('bank_c.accounts');
      const kept = await page.evaluate(() => localStorage.getItem('changgu.views'));
      expect(kept).not.toContain('job_');
      await page.click('[aria-label="Delete the view Failures of C"]');
      expect(await page.locator('.chip').count()).toBe(0);
    });

    it('lets people pause while they type what they look for', async () => {
      const { page } = stage.owner;
      await stage.owner.go('jobs');
      await settled(page);
      await page.focus('input[name=q]');
      await page.keyboard.type('bank_c');
      await page.waitForURL(/q=bank_c&/);
      await page.keyboard.type(' ');
      await page.keyboard.type('accounts');
      await page.waitForURL(/q=bank_c\+accounts&/);
      expect(await page.inputValue('input[name=q]')).toBe('bank_c accounts');
      await page.click('text=Clear filters');
      expect(await page.inputValue('input[name=q]')).toBe('');
    });

    it('draws usage by day beside its table, with a library that no other screen loads', async () => {
      const { page, sent } = stage.owner;
      await stage.server.submit('bank_a.accounts.list');
      await stage.owner.go('');
      await settled(page);
      await page.selectOption('select.environment', 'sandbox');
      const scripts = () => sent.filter((each) => each.includes('day-chart')).length;
      const before = scripts();
      await stage.owner.go('billing');
      await page.waitForSelector('.chart canvas');
      expect(scripts()).toBe(before + 1);
      expect(
        await page.locator('table:has(caption:has-text("Usage by day")) tbody tr').count(),
      ).toBeGreaterThan(0);
    });

    it('shows a call for all accounts as a grid that fills', async () => {
      const { page } = stage.owner;
      const action = 'bank_c.accounts.transaction_history.search';
      const key = 'all/of them?';
      const headers = { 'x-env-scope': 'real_test', 'idempotency-key': key };
      const body = { provider: 'bank_c', action };
      const answer = await stage.server.call('POST', '/v1/jobs/all-accounts', body, headers);
      expect(answer.status).toBe(202);
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go('runs');
      await page.click('tbody th a');
      await page.waitForURL(/key=all/);
      await page.waitForSelector('.grid li.good');
      await page.waitForSelector('.live', { state: 'detached' });
      expect(await page.locator('.grid li.good').count()).toBeGreaterThan(1);
      await page.locator('.grid a').first().click();
      await page.waitForURL(/jobs\/job_/);
    });

    it('does not call a call ended whose accounts it does not all show', async () => {
      const { page } = stage.owner;
      const item = {
        job_id: `job_${'0'.repeat(26)}`,
        account_link_id: null,
        bank_account_credential_id: crypto.randomUUID(),
        masked_account_no: '110*****7890',
        status: 'SUCCEEDED',
        progress: 100,
        error_code: null,
      };
      await page.route('**/v1/jobs/all-accounts/lines?*', (route) =>
        route.fulfill({ json: { items: [item], next_cursor: 'more' } }),
      );
      await page.selectOption('select.environment', 'real_test');
      await stage.owner.go('runs?key=many');
      await page.waitForSelector('text=Of the first 4, which are shown, 4 ended.');
      expect(await page.locator('.live').count()).toBe(1);
      // Where the call is among the newest, the service has counted all of it.
      const counts = {
        QUEUED: 0,
        RUNNING: 1,
        SUCCEEDED: 12_344,
        FAILED: 0,
        TIMEOUT: 0,
        CANCELED: 0,
      };
      const many = { idempotency_key: 'many', account_count: 12_345, counts };
      const about = { provider: 'bank_c', action: 'bank_c.accounts.list', submitted_at: DAY };
      await page.route('**/v1/jobs/all-accounts?*', (route) =>
        route.fulfill({ json: { items: [{ ...about, ...many }], next_cursor: null } }),
      );
      await stage.owner.go('runs?key=many');
      await page.waitForSelector('text=12,344 of 12,345 ended. The first 4 are shown.');
      // Who comes back to the page still learns of the end of an account that is not shown.
      await page.waitForSelector('.live[data-state=live]');
      const turnAway = (hidden: boolean) =>
        page.evaluate((value) => {
          Object.defineProperty(document, 'hidden', { value, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }, hidden);
      await turnAway(true);
      await page.waitForSelector('.live[data-state=paused]');
      const read = page.waitForRequest('**/v1/jobs/all-accounts?*');
      await turnAway(false);
      await (await read).response();
      await page.waitForSelector('.live[data-state=live]');
      Object.assign(counts, { RUNNING: 0, SUCCEEDED: 12_345 });
      await stage.server.submit('bank_b.accounts.transaction_history.search', {
        env: 'real_test',
        link: stage.server.account_links.bank_b ?? '',
      });
      await page.waitForSelector('text=12,345 of 12,345 ended. The first 4 are shown.');
      await page.waitForSelector('.live', { state: 'detached' });
      await page.unroute('**/v1/jobs/all-accounts?*');
      await page.unroute('**/v1/jobs/all-accounts/lines?*');
    });

    it('tells that the server is away, and continues when it is back', async () => {
      const { page, context } = stage.owner;
      await stage.owner.go('jobs');
      await settled(page);
      await context.setOffline(true);
      await page.waitForSelector('text=The server cannot be reached.');
      expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
      await context.setOffline(false);
      await page.waitForSelector('text=The server cannot be reached.', { state: 'detached' });
    });

    it('asks again when told to, while the server is still away and when it is back', async () => {
      const { page } = stage.owner;
      const isRead = (request: Request) => request.url().includes('/v1/jobs?');
      const tryAgain = page.getByRole('button', { name: 'Try again', exact: true });
      await stage.owner.go('jobs');
      await settled(page);
      await page.click('text=Pause');
      await page.waitForSelector('.live[data-state=paused]');
      await page.route('**/v1/jobs?*', (route) => route.abort());
      await page.click('text=Resume');
      await page.waitForSelector('text=The server cannot be reached.');
      // From here on the page asks only when the person does.
      await page.click('text=Pause');
      await page.waitForSelector('.live[data-state=paused]');
      await Promise.all([page.waitForEvent('requestfailed', isRead), tryAgain.click()]);
      await page.waitForSelector('text=The server cannot be reached.');
      await page.unroute('**/v1/jobs?*');
      await Promise.all([page.waitForEvent('requestfinished', isRead), tryAgain.click()]);
      await page.waitForSelector('text=The server cannot be reached.', { state: 'detached' });
      expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
    });
  });
}
