import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn, type Visit, visit } from '../support/open-browser.ts';
import { askForEnvironment, logIn, register } from '../support/people.ts';
import type { Stage } from '../support/stage.ts';

const ASKING = { email: 'asking@example.com', name: 'Asking' } as const;

/** Moves business time and stops an institution: nothing else runs meanwhile. */
export function describeOperator(stage: Stage): void {
  describe('operators', () => {
    let operator: Visit;
    beforeAll(async () => {
      await register(stage.server, 'subscriber@example.com', 'Subscriber');
      // An act that is changed below: sealed by then, and there without the other tests, too.
      await stage.server.submit('bank_a.accounts.list');
      operator = await visit(stage.browser, stage.server);
      await operator.signInAsOperator(stage.server.admin.token);
    });
    afterAll(() => operator.context.close());

    it('are told that a screen is for members, not whom to ask for it', async () => {
      const { page, go } = operator;
      await go('keys');
      const title = page.locator('h1', { hasText: 'This screen is for members' });
      await title.waitFor();
      expect(await title.textContent()).toBe('This screen is for members of an organization.');
    });

    it('learn at home that an institution fails, in whichever environment', async () => {
      const { page, go } = operator;
      await page.route('**/v1/admin/service-state', async (route) => {
        const answer = await route.fetch();
        const state: { institutions: object[] } = await answer.json();
        const [first] = state.institutions;
        // In two environments it is one institution that fails.
        const institutions = ['real_test', 'production'].map((env_scope) => ({
          ...first,
          env_scope,
          state: 'DOWN',
        }));
        await route.fulfill({ json: { ...state, institutions } });
      });
      await go('organizations');
      await go('');
      const notice = page.getByText('Institutions that fail or are in maintenance: 1.');
      await notice.waitFor();
      await notice.click();
      await page.waitForSelector('h1:has-text("Service")');
      expect(page.url()).toContain('/console/service');
      // The screen it leads to reads it, too.
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('put an organization on a plan, after reading what that does', async () => {
      const { page } = operator;
      await page.click('nav >> text=Organizations');
      await page.fill('input[name=q]', 'subscriber ');
      await page.waitForURL(/text=subscriber/);
      // The next word may follow.
      expect(await page.inputValue('input[name=q]')).toBe('subscriber ');
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
      await page.locator('[aria-label^="Change plan: "]').click();
      await page.selectOption('dialog select[name=plan_code]', 'STANDARD');
      await page.waitForSelector('dialog >> text=A paid plan opens production.');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('td:has-text("Standard")');
      expect(await page.locator('tbody tr').textContent()).toContain('Active');
    });

    it('read by name who asks for an environment', async () => {
      const { email, name } = ASKING;
      await askForEnvironment(stage.server, email, await register(stage.server, email, name));
      const { page } = operator;
      await page.click('nav >> text=Approvals');
      const row = page.locator('tr', { hasText: name });
      expect(await row.locator('th').textContent()).toMatch(/^Asking \d+$/);
      await row.getByRole('button').click();
      await page.waitForSelector(`dialog >> text=${name}`);
      // What an operator has typed waits, too, while a token that ended is replaced.
      await page.fill('dialog textarea[name=note]', 'Typed');
      await endSessionOnDecision(page);
      await signInOnCover(page, stage.server.admin.token);
      expect(await page.inputValue('dialog textarea[name=note]')).toBe('Typed');
      await page.click('dialog >> button[type=submit]');
      await row.waitFor({ state: 'detached' });
    });

    it('read a name of one long word beside the button that decides, on a page of its usual width', async () => {
      const name = '긴'.repeat(100);
      const email = 'long@example.com';
      await askForEnvironment(stage.server, email, await register(stage.server, email, name));
      const { page } = operator;
      await operator.go('organizations');
      await operator.go('approvals');
      const row = page.locator('tr', { hasText: name });
      await row.waitFor();
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      expect(scrollWidth).toBe(clientWidth);
      const button = await row.getByRole('button').boundingBox();
      expect((button?.x ?? Infinity) + (button?.width ?? 0)).toBeLessThan(clientWidth);
    });

    it('see what waits while an institution is out, and bring it back', async () => {
      const { page } = operator;
      await page.click('nav >> text=Service');
      const simulator = page.locator('tr', { hasText: 'Take down' }).last();
      const name = (await simulator.locator('th').textContent()) ?? '';
      await simulator.getByText('Take down').click();
      const row = page.locator('table:has(caption:text("Simulated")) tr', { hasText: name });
      await row.locator('.badge.bad').waitFor();
      await row.getByText('Restore').click();
      await row.locator('.badge.good').waitFor();
      await page.uncheck('input[type=checkbox]');
      expect(
        await page.locator('table:has(caption:text("Queues")) tbody tr').count(),
      ).toBeGreaterThan(20);
    });

    it('move the test clock', async () => {
      const { page } = operator;
      const shown = page.locator('.card', { hasText: 'Business time' }).locator('dd').first();
      const before = await shown.textContent();
      await page.click('text=Move the clock');
      await page.waitForFunction(
        (text) => !document.querySelector('#main')?.textContent?.includes(text),
        before ?? '',
      );
      expect(await shown.textContent()).not.toBe(before);
    });

    it('see no verdict on one organization beside the records of another', async () => {
      const { page } = operator;
      await page.click('nav >> text=Audit');
      await page.fill('input[name=organization]', String(stage.server.organization_id));
      await page.click('text=Verify the hash chain');
      await page.waitForSelector('text=sealed records are as they were written');
      await page.fill('input[name=organization]', '4711');
      await page.waitForSelector('text=Verify the hash chain');
      await drawn(page);
      expect(await page.locator('.notice.good').count()).toBe(0);
    });

    it('verify the audit of an organization themselves, and save it', async () => {
      const { page } = operator;
      await page.click('nav >> text=Audit');
      await page.fill('input[name=organization]', String(stage.server.organization_id));
      await page.selectOption('select[name=act]', { label: 'Submitted a job (job.submit)' });
      await page.waitForSelector('th:has-text("Submitted a job job.submit")');
      await page.selectOption('select[name=act]', '');
      await page.click('text=Verify the hash chain');
      await page.waitForSelector('text=sealed records are as they were written');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click('text=Save records'),
      ]);
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n');
      expect(lines.length).toBeGreaterThan(10);
      // One word of one record is changed on its way to the page.
      await page.route('**/v1/admin/audit*', async (route) => {
        const answer = await route.fetch();
        const text = (await answer.text()).replace('"job.submit"', '"job.read"');
        await route.fulfill({ response: answer, body: text });
      });
      await page.click('text=Verify the hash chain');
      await page.waitForSelector('text=The chain breaks at record');
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('leave nothing to a person who signs in over it, also where both have the same id', async () => {
      const email = 'left@example.com';
      await askForEnvironment(stage.server, email, await register(stage.server, email, 'Left'));
      const { page } = operator;
      await page.click('nav >> text=Approvals');
      await page.locator('tr', { hasText: 'Left' }).getByRole('button').click();
      await page.fill('dialog textarea[name=note]', 'Typed');
      await endSessionOnDecision(page);
      const { email: owner, password } = stage.server.console;
      // A person's token is not that of an operator with the same id.
      await page.fill('dialog.cover input[name=token]', await logIn(stage.server, owner, password));
      await page.click('dialog.cover >> button[type=submit]');
      await page.waitForSelector('dialog.cover .wrong:has-text("not of an operator")');
      await page.click('dialog.cover >> text=Sign in with email');
      await page.fill('dialog.cover input[name=email]', owner);
      await page.fill('dialog.cover input[name=password]', password);
      await page.click('dialog.cover >> button[type=submit]');
      await page.waitForSelector(`.who:has-text("Owner")`);
      expect(await page.locator('dialog').count()).toBe(0);
      expect(operator.faults).toEqual([]);
    });
  });
}

async function endSessionOnDecision(page: Page): Promise<void> {
  await page.route('**/v1/admin/env-access-requests/**', (route) => {
    const error = { code: 'AUTH_TOKEN_EXPIRED', message: 'It has ended.', trace_id: 't' };
    return route.fulfill({ status: 401, json: { error } });
  });
  await page.click('dialog >> button[type=submit]');
  await page.waitForSelector('dialog.cover [role=alert]:has-text("Your session has ended")');
  await page.unroute('**/v1/admin/env-access-requests/**');
}

async function signInOnCover(page: Page, token: string): Promise<void> {
  await page.fill('dialog.cover input[name=token]', token);
  await page.click('dialog.cover >> button[type=submit]');
  await page.waitForSelector('dialog.cover', { state: 'detached' });
}
