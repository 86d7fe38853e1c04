import { describe, expect, it } from 'vitest';
import { settled, visit } from '../support/open-browser.ts';
import { type Stage, XSS } from '../support/stage.ts';

export function describePeople(stage: Stage): void {
  describe('who sees what', () => {
    it('offers a member only what members may do (D158)', async () => {
      const password = await join('member@example.com');
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

    it('lets an operator decide, and shows text of strangers as text', async () => {
      const password = await register('stranger@example.com', XSS.slice(0, 100));
      const token = await logIn('stranger@example.com', password);
      const bearer = { authorization: `Bearer ${token}` };
      const application = {
        company_name: XSS.slice(0, 200),
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
      await page.waitForSelector('text=onerror=alert(1)');
      await page.locator('tr', { hasText: 'onerror' }).getByText('Decide').click();
      await page.click('dialog >> button[type=submit]');
      await page.waitForFunction(() => !document.body.textContent?.includes('onerror'));
      await page.click('nav >> text=Audit');
      await page.waitForSelector('tbody tr');
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('eyJ');
      expect(faults).toEqual([]);
      await context.close();
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
      await stage.owner.signIn(stage.server.console.email, stage.server.console.password);
      await other.context.close();
    });
  });

  /** Becomes a MEMBER of the owner's organization, by invitation. */
  async function join(email: string): Promise<string> {
    const { email: owner, password: ownerPassword } = stage.server.console;
    const bearer = { authorization: `Bearer ${await logIn(owner, ownerPassword)}` };
    const invitation = { email, role: 'MEMBER' };
    const invited = await stage.server.call('POST', '/v1/members/invitations', invitation, bearer);
    const { link }: { link: string } = await invited.json();
    const password = 'correct horse battery staple';
    const token = new URL(link).hash.replace('#token=', '');
    const person = { token, name: '김초대', password, agree_terms: true, agree_privacy: true };
    const accepted = await stage.server.call('POST', '/v1/auth/invitations/accept', person);
    expect(accepted.status).toBe(200);
    return password;
  }

  async function register(email: string, name = '홍길동'): Promise<string> {
    const password = 'correct horse battery staple';
    const body = { email, password, name, agree_terms: true, agree_privacy: true };
    const answer = await fetch(new URL('/v1/auth/register', stage.server.base_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    return password;
  }

  async function logIn(email: string, password: string): Promise<string> {
    const answer = await fetch(new URL('/v1/auth/login', stage.server.base_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: token }: { access_token: string } = await answer.json();
    return token;
  }
}
