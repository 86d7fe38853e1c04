import { describe, expect, it } from 'vitest';
import { settled, visit } from '../support/open-browser.ts';
import { focusedField } from '../support/page-faults.ts';
import { join, logIn, register } from '../support/people.ts';
import { type Stage, XSS } from '../support/stage.ts';

export function describePeople(stage: Stage): void {
  describe('who sees what', () => {
    it('offers a member only what members may do (D158)', async () => {
      const password = await join(stage.server, 'member@example.com', 'MEMBER');
      const { page, go, signIn, faults, context } = await visit(stage.browser, stage.server);
      await signIn('member@example.com', password);
      const menu = await page.locator('nav').textContent();
      expect(menu).toContain('Jobs');
      expect(menu).not.toContain('Keys');
      await go('keys');
      await page.waitForSelector('text=You do not have access');
      await go(`links/${stage.server.account_links.bank_a}`);
      await settled(page);
      expect(await page.locator('main button').allInnerTexts()).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('lets people join by an invitation, and removes them after asking', async () => {
      const { page } = stage.owner;
      await stage.owner.go('people');
      await page.click('text=Invite');
      await page.fill('dialog input[name=email]', 'colleague@example.com');
      await page.click('dialog >> button[type=submit]');
      const link = (await page.locator('.secret').textContent()) ?? '';
      await page.click('dialog >> text=Done');
      expect(await page.content()).not.toContain(link);

      const guest = await visit(stage.browser, stage.server);
      await guest.page.goto(link);
      await guest.page.fill('input[name=name]', '김구성');
      await guest.page.fill('input[name=password]', 'correct horse battery staple');
      await guest.page.check('input[name=agree_terms]');
      await guest.page.check('input[name=agree_privacy]');
      expect(guest.page.url()).not.toContain('#');
      await guest.page.click('button[type=submit]');
      await guest.page.waitForSelector('text=You have joined');
      await guest.signIn('colleague@example.com', 'correct horse battery staple');

      await stage.owner.go('people');
      await page.locator('tr', { hasText: 'colleague@example.com' }).getByText('Remove').click();
      expect(await page.locator('dialog').textContent()).toContain('closed at once');
      await page.click('dialog >> button[type=submit]');
      await page.waitForFunction(() => !document.body.textContent?.includes('colleague@'));
      await guest.go('jobs');
      await guest.page.waitForSelector('input[name=email]');
      expect(guest.faults).toEqual([]);
      await guest.context.close();
    });

    it('lets an operator decide, and shows text of strangers as text', async () => {
      const name = `Stranger ${XSS.slice(0, 90)}`;
      const password = await register(stage.server, 'stranger@example.com', name);
      const token = await logIn(stage.server, 'stranger@example.com', password);
      const bearer = { authorization: `Bearer ${token}` };
      const application = {
        company_name: `Stranger ${XSS.slice(0, 180)}`,
        contact_email: 'a@example.com',
        terms_agreed: true,
        use_case_text: XSS,
      };
      const applications = '/v1/me/integrator-applications';
      expect((await stage.server.call('POST', applications, application, bearer)).status).toBe(201);
      const { page, go, faults, context } = await visit(stage.browser, stage.server);
      await go('approvals');
      await page.click('text=Sign in with an operator token');
      await page.fill('input[name=token]', stage.server.admin.token);
      await page.click('button[type=submit]');
      // Others ask at the same time.
      const row = page.locator('tr', { hasText: 'Stranger' });
      await row.getByText('onerror=alert(1)').first().waitFor();
      await row.getByText('Decide').click();
      await page.click('dialog >> button[type=submit]');
      await row.waitFor({ state: 'detached' });
      await page.click('nav >> text=Audit');
      await page.waitForSelector('tbody tr');
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('eyJ');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('deletes the own account in seven days, unless the request is withdrawn (D90, D146)', async () => {
      const { page, go } = stage.owner;
      const { password } = stage.server.console;
      await go('account');
      await settled(page);
      await page.click('text=Request deletion');
      await page.waitForSelector('dialog >> text=stay as they are');
      await page.keyboard.press('Escape');
      // It does not ask before it knows what else is deleted, and a screen reader is told all of it.
      await page.route('**/v1/members', (route) => {
        const error = { code: 'INTERNAL_ERROR', message: 'It failed.', trace_id: 't' };
        return route.fulfill({ status: 500, json: { error } });
      });
      await page.click('text=Request deletion');
      await page.waitForSelector('[role=alert] >> text=It failed.');
      expect(await page.locator('dialog').count()).toBe(0);
      await page.unroute('**/v1/members');
      await page.route('**/v1/members', (route) => route.fulfill({ json: { items: [] } }));
      await page.click('text=Request deletion');
      const dialog = page.locator('dialog');
      await dialog.waitFor();
      const consequences = await dialog.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${consequences}"]`).textContent()).toContain(
        'is deleted too',
      );
      await page.unroute('**/v1/members');
      await page.fill('dialog input[name=password]', 'not the password');
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog input[name=password][aria-invalid=true]:focus');
      expect((await focusedField(page)).said).toContain('The current password does not match.');
      expect(await page.locator('dialog [role=alert]').count()).toBe(0);
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('main >> text=Your account will be deleted at');
      await go('');
      await page.click('main >> text=Your account will be deleted at');
      await page.click('main button:has-text("Withdraw the request")');
      await page.fill('dialog input[name=password]', password);
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('main >> text=Request deletion');
      expect(await page.locator('main .notice.warn').count()).toBe(0);
    });

    it('ends other sessions', async () => {
      const other = await visit(stage.browser, stage.server);
      await other.signIn(stage.server.console.email, stage.server.console.password);
      await other.go('account');
      await settled(other.page);
      await other.page.click('text=End all sessions');
      await other.page.click('dialog >> button[type=submit]');
      await other.page.waitForSelector('input[name=email]');
      await stage.owner.go('keys');
      await stage.owner.page.waitForSelector('input[name=email]');
      expect(await stage.owner.page.locator('nav').count()).toBe(0);
      await stage.owner.signIn(stage.server.console.email, stage.server.console.password);
      await other.context.close();
    });
  });
}
