import { describe, expect, it } from 'vitest';
import { fill, focusedName, press, tabTo } from '../support/keyboard.ts';
import { drawn, settled, visit } from '../support/open-browser.ts';
import { logIn, register } from '../support/people.ts';
import type { Stage } from '../support/stage.ts';

export function describeKeyboard(stage: Stage): void {
  describe('without a mouse', () => {
    async function colleague() {
      const person = await visit(stage.browser, stage.server);
      const { page } = person;
      const closed = () => page.waitForSelector('dialog', { state: 'detached' });
      await person.signIn(stage.colleague.email, stage.colleague.password);
      return { ...person, closed };
    }

    it('one signs in, tries an action and reads its result', async () => {
      const { page, go, context, faults } = await visit(stage.browser, stage.server);
      await go('');
      await page.waitForSelector('input[name=email]');
      await fill(page, 'Email', stage.colleague.email);
      await fill(page, 'Password', 'wrong');
      await press(page, 'Sign in', 'Space');
      await page.waitForSelector('input[name=password]:focus');
      // What is typed takes the place of what was wrong.
      await page.keyboard.type(stage.colleague.password);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#main h1');

      await press(page, 'Catalog');
      await page.waitForSelector('input[type=search]');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      await fill(page, 'Search actions', 'bank_d.accounts.list');
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('main button[type=submit]');
      await press(page, 'Run');
      await page.waitForURL(/jobs\/job_/);
      await page.waitForSelector('text=Show result');
      await press(page, 'Show result');
      await page.waitForSelector('text=params echo');
      await page.waitForSelector('section:has(h2:text("Result")) :focus:has-text("params echo")');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('one skips the menu and stays on the screen, also with a token in memory', async () => {
      const { page, go, signInAsOperator, context, faults } = await visit(
        stage.browser,
        stage.server,
      );
      await signInAsOperator(stage.server.admin.token);
      await go('audit');
      await page.waitForSelector('select[name=act]');
      await page.selectOption('select[name=act]', 'job.submit');
      await press(page, 'Skip to content');
      await drawn(page);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      expect(page.url()).toContain('/console/audit');
      expect(await page.inputValue('select[name=act]')).toBe('job.submit');
      await page.keyboard.press('Tab');
      expect(await focusedName(page)).not.toBe('Home');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('one issues a key in a dialog that begins at its first field, and revokes it', async () => {
      const { page, go, context, faults, closed } = await colleague();
      await go('keys');
      await page.waitForSelector('text=Issue a key');
      await press(page, 'Issue a key');
      await page.waitForSelector('dialog[open]');
      expect(await focusedName(page)).toBe('Name');
      await page.keyboard.type('By keyboard');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.secret');
      await page.keyboard.press('Escape');
      await closed();
      expect(await focusedName(page)).toBe('Issue a key');

      await page.waitForSelector('text=By keyboard');
      await press(page, 'Revoke: By keyboard');
      const dialog = page.locator('dialog[open]');
      // What will happen is read aloud with the title.
      const about = await dialog.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${about}"]`).textContent()).toContain('refused at once');
      await page.keyboard.press('Escape');
      await closed();
      expect(await focusedName(page)).toBe('Revoke: By keyboard');
      await page.keyboard.press('Enter');
      await press(page, 'Revoke');
      await page.waitForFunction(() => !document.body.textContent?.includes('By keyboard'));
      // Its button went with the row.
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('one links an institution by ID and password', async () => {
      const { page, go, context, faults, closed } = await colleague();
      await go('links');
      await page.waitForSelector('text=Register a link');
      await press(page, 'Register a link');
      await page.waitForSelector('dialog select');
      await page.keyboard.press('Escape');
      await closed();
      expect(await focusedName(page)).toBe('Register a link');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog select');
      await fill(page, 'Institution', 'Bank C');
      await fill(page, 'Authentication', 'ID');
      await page.waitForSelector('dialog input[name=login_id]');
      await fill(page, 'User ID', 'keyboard-only');
      await fill(page, 'Password', 'a password there');
      await page.keyboard.press('Enter');
      await page.waitForURL(/links\/[0-9a-f-]{36}/);
      await closed();
      await settled(page);
      await press(page, 'Unlink');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await closed();
      expect(await focusedName(page)).toBe('Unlink');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('one invites a member and takes it back', async () => {
      const { page, go, context, faults, closed } = await colleague();
      await go('people');
      await page.waitForSelector('text=Invite');
      await press(page, 'Invite');
      await fill(page, 'Email', 'keyboard@example.com');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.secret');
      await page.keyboard.press('Escape');
      await closed();
      expect(await focusedName(page)).toBe('Invite');
      await page.waitForSelector('text=keyboard@example.com');
      await press(page, 'Revoke invitation: keyboard@example.com');
      await press(page, 'Revoke invitation');
      await page.waitForFunction(() => !document.body.textContent?.includes('keyboard@'));
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('one chooses jobs and cancels them', async () => {
      const { page, go, context, faults, closed } = await colleague();
      await stage.server.slowDown('bank_c', 3_000);
      const link = stage.server.account_links.bank_c ?? '';
      const [running, job] = [
        await stage.server.submit('bank_c.accounts.list', { env: 'real_test', link }),
        await stage.server.submit('bank_c.accounts.list', { env: 'real_test', link }),
      ];
      await page.selectOption('select.environment', 'real_test');
      await go('jobs?provider=bank_c');
      await settled(page);
      await tabTo(page, `Select ${job}`);
      await page.keyboard.press('Space');
      await page.waitForSelector('text=Cancel 1 selected');
      // Back to the button, which stands above the list.
      for (let step = 0; (await focusedName(page)) !== 'Cancel 1 selected'; step += 1) {
        expect(step).toBeLessThan(20);
        await page.keyboard.press('Shift+Tab');
      }
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await closed();
      expect(await focusedName(page)).toBe('Cancel 1 selected');
      await page.keyboard.press('Enter');
      await press(page, 'Cancel jobs');
      await page.waitForSelector('text=Cancellation requested: 1.');
      await closed();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      await stage.server.call('POST', `/v1/jobs/${running}/cancel`, undefined, {
        'x-env-scope': 'real_test',
      });
      await stage.server.slowDown('bank_c', 0);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('an operator approves', async () => {
      const email = 'asks-for-access@example.com';
      const token = await logIn(stage.server, email, await register(stage.server, email));
      await stage.server.call(
        'POST',
        '/v1/me/env-access-requests',
        { requested_target_env: 'real_test', reason_text: 'By keyboard' },
        { authorization: `Bearer ${token}` },
      );
      const { page, go, context, faults } = await visit(stage.browser, stage.server);
      await go('approvals');
      await page.waitForSelector('input[name=email]');
      await press(page, 'Sign in with an operator token');
      await fill(page, 'Operator token', stage.server.admin.token);
      await page.keyboard.press('Enter');
      await page.waitForSelector('tr:has-text("By keyboard")');
      await page.locator('tr', { hasText: 'By keyboard' }).locator('button').focus();
      const opener = await focusedName(page);
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      expect(await focusedName(page)).toBe(opener);
      await page.keyboard.press('Enter');
      await press(page, 'Approve');
      await page.waitForFunction(() => !document.body.textContent?.includes('By keyboard'));
      expect(faults).toEqual([]);
      await context.close();
    });
  });
}
