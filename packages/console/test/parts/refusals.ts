import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn, PLAIN, settled, type Visit, visit } from '../support/open-browser.ts';
import { faultsOf, focusedField } from '../support/page-faults.ts';
import type { Stage } from '../support/stage.ts';

/** The values of the checked boxes of one name. */
function chosenIn(page: Page, name: string): Promise<string[]> {
  return page
    .locator(`dialog [name=${name}]:checked`)
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value') ?? ''));
}

export function describeRefusals(stage: Stage): void {
  describe('what does not work', () => {
    it('is told on a page of an email, too, whose code cannot be loaded', async () => {
      const { page, context, faults } = await visit(stage.browser, stage.server);
      await page.route('**/assets/one-time-*.js', (route) => route.abort());
      await page.goto(`${stage.server.base_url}/console/forgot-password`);
      const alert = page.getByRole('alert');
      await alert.getByText('A part of this page could not be loaded.').waitFor();
      await alert.getByText('Check your network, then reload the page.').waitFor();
      await page.unroute('**/assets/one-time-*.js');
      await page.getByRole('button', { name: 'Try again', exact: true }).click();
      await page.waitForSelector('input[name=email]');
      // Where the server sends no email, the person has done nothing wrong: the page says whom to ask.
      await page.route('**/v1/auth/password-reset', (route) => {
        const error = { code: 'MAIL_NOT_CONFIGURED', message: 'None.', trace_id: 't' };
        return route.fulfill({ status: 503, json: { error } });
      });
      await page.fill('input[name=email]', 'person@example.com');
      await page.click('button[type=submit]');
      await page.waitForSelector('[role=status]:has-text("changgu-server admin reset-link")');
      expect(await page.locator('[role=alert]').count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is a chart whose code cannot be loaded, and its table is shown without it', async () => {
      const { page, context, go, signIn } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await page.route('**/assets/day-chart-*.js', (route) => route.abort());
      await stage.server.submit('bank_a.accounts.list');
      const refusal = page.waitForEvent('requestfailed', (one) => one.url().includes('day-chart'));
      await go('billing');
      await refusal;
      await settled(page);
      await page.getByRole('columnheader', { name: 'Tokens' }).first().waitFor();
      expect(await page.locator('canvas').count()).toBe(0);
      await context.close();
    });

    it('is told where the browser does not let the page copy', async () => {
      const { page, context, go, signIn, faults } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await go('catalog/bank_a.accounts.list');
      const copy = page.getByRole('button', { name: 'Copy: CLI' });
      await copy.waitFor();
      const setClipboard = (clipboard: 'none' | 'refuses' | 'works') =>
        page.evaluate((kind) => {
          const writeText = () => (kind === 'works' ? Promise.resolve() : Promise.reject());
          const value = kind === 'none' ? undefined : { writeText };
          Object.defineProperty(navigator, 'clipboard', { value, configurable: true });
        }, clipboard);
      for (const kind of ['none', 'refuses'] as const) {
        await setClipboard(kind);
        await copy.click();
        await copy.getByText('Select the text and copy it.').waitFor();
      }
      await setClipboard('works');
      await copy.click();
      await copy.getByText('Copied.').waitFor();
      // So that another copy is said, too.
      await copy.getByText('Copy', { exact: true }).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is an action that no institution has, which is not offered for a try', async () => {
      const { page, context, go, signIn, faults } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await go('catalog/bank_a.no_such_action');
      await page.waitForSelector('text=There is no such action.');
      expect(await page.getByRole('button', { name: 'Run' }).count()).toBe(0);
      expect(await page.locator('pre').count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is a screen whose address is not one', async () => {
      const { page, context, go, signIn, faults } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await go('jobs/%E0%A4%A');
      await page.waitForSelector('h1:has-text("This page does not exist.")');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is a second request while the first is under way', async () => {
      const { page, context, go, signIn } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      await go(`jobs/${await stage.server.submit('bank_a.accounts.list')}`);
      const asked: string[] = [];
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      await page.route(/\/(result|receipt)$/, async (route) => {
        asked.push(route.request().url());
        await answered;
        await route.fallback();
      });
      const result = page.getByRole('button', { name: 'Show result' });
      await result.dispatchEvent('click');
      await page.waitForSelector('button[aria-disabled=true]:has-text("Show result")');
      await result.dispatchEvent('click');
      await drawn(page);
      expect(asked).toHaveLength(1);
      answer();
      await page.waitForSelector('text=params echo');
      await context.close();
    });
  });

  describe('what the service refuses', () => {
    let person: Visit;
    let page: Page;

    beforeAll(async () => {
      person = await visit(stage.browser, stage.server, { ...PLAIN, language: 'ko' });
      ({ page } = person);
      await person.signIn(stage.colleague.email, stage.colleague.password);
    });
    afterAll(() => person.context.close());

    const refused = () => page.waitForSelector('[aria-invalid=true]:focus');

    it('is said in Korean at its field, which gets the focus', async () => {
      await person.go('keys');
      await settled(page);
      await page.click('text=키 발급');
      await page.fill('dialog input[name=label]', '주소가 틀린 키');
      await page.uncheck('dialog [name=allowed_env_scopes][value=sandbox]');
      await page.check('dialog [name=allowed_env_scopes][value=real_test]');
      await page.fill('dialog [name=allowed_addresses]', '203.0.113.0/24 not-an-address');
      await page.click('dialog >> button[type=submit]');
      await refused();
      await page.waitForSelector('text=IP 주소 또는 CIDR 범위여야 합니다.');
      const { name, invalid, said } = await focusedField(page);
      expect([name, invalid]).toEqual(['allowed_addresses', 'true']);
      expect(said).toContain('IP 주소 또는 CIDR 범위여야 합니다.');
      // Once, and the sentence on the whole names the code.
      expect(await page.locator('dialog').textContent()).not.toContain('body');
      expect(await page.locator('dialog [role=alert] li').count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
      // What was chosen is still there: another try must not issue a key for another environment.
      expect(await chosenIn(page, 'allowed_env_scopes')).toEqual(['real_test']);
      expect(await page.inputValue('dialog input[name=label]')).toBe('주소가 틀린 키');
      await page.keyboard.press('Escape');
    });

    it('is said once for choices that belong together', async () => {
      await person.go('keys');
      await settled(page);
      await page.click('text=키 발급');
      await page.fill('dialog input[name=label]', '환경이 없는 키');
      await page.uncheck('dialog input[name=allowed_env_scopes][value=sandbox]');
      await page.click('dialog >> button[type=submit]');
      await refused();
      await page.waitForSelector('fieldset >> text=1개 이상이어야 합니다.');
      const { name, said } = await focusedField(page);
      expect(name).toBe('allowed_env_scopes');
      expect(said).toContain('1개 이상이어야 합니다.');
      expect(await page.locator('text=1개 이상이어야 합니다.').count()).toBe(1);
      expect(await chosenIn(page, 'allowed_env_scopes')).toEqual([]);
      await page.keyboard.press('Escape');
    });

    it('names what is wrong at the field of a param, or within the JSON of all', async () => {
      await person.go('catalog/bank_b.accounts.transaction_history.search');
      await settled(page);
      await page.fill('main input[name=from_date]', '2026-11-02');
      await page.fill('main input[name=to_date]', '2026-11-01');
      await page.selectOption('main select[name=order]', 'asc');
      await page.click('main >> button[type=submit]');
      await refused();
      await page.waitForSelector('main [aria-invalid=true]');
      expect((await focusedField(page)).name).toMatch(/^(from|to)_date$/);
      await page.click('text=JSON으로 입력');
      await page.waitForSelector('main textarea[name=params]');
      // What was said at a field is gone with it, and so is what refers to that.
      expect(await page.locator('main [role=alert]').count()).toBe(0);
      const given = { from_date: '2026-11-02', to_date: '2026-11-01', order: 'asc' };
      expect(JSON.parse(await page.inputValue('main textarea[name=params]'))).toEqual(given);
      const typed = '{"from_date": "20261341"}';
      await page.fill('main textarea[name=params]', typed);
      await page.click('main >> button[type=submit]');
      await refused();
      await page.waitForSelector('text=달력에 없는 날짜입니다.');
      const { name, said } = await focusedField(page);
      expect(name).toBe('params');
      expect(said).toContain('from_date: ');
      expect(await page.inputValue('main textarea[name=params]')).toBe(typed);
      await page.click('text=입력란으로 입력');
      await page.waitForSelector('text=입력란에 표시할 수 없는 값이 있습니다: from_date');
    });

    it('leaves what was chosen from a list', async () => {
      await person.go('people');
      await settled(page);
      await page
        .locator('tr', { hasText: stage.server.console.email })
        .getByText('역할 변경')
        .click();
      const role = page.locator('dialog select[name=role]');
      expect(await role.inputValue()).toBe('OWNER');
      await role.selectOption('MEMBER');
      await page.route('**/v1/**/members/**', (route) => {
        const error = { code: 'FORBIDDEN', message: '할 수 없습니다.', trace_id: 't' };
        return route.fulfill({ status: 403, json: { error } });
      });
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog [role=alert]');
      expect(await role.inputValue()).toBe('MEMBER');
      await page.unroute('**/v1/**/members/**');
      await page.keyboard.press('Escape');
    });

    it('is listed by its name on the wire where no field has it', async () => {
      await person.go('keys');
      await settled(page);
      await page.click('text=키 발급');
      await page.fill('dialog input[name=label]', '이름');
      await page.route('**/v1/app-credentials', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        const fields = [{ loc: ['body', 'unheard_of'], msg: 'Field required', type: 'missing' }];
        const error = { code: 'VALIDATION_ERROR', message: '확인하십시오.', trace_id: 't', fields };
        return route.fulfill({ status: 422, json: { error } });
      });
      await page.click('dialog >> button[type=submit]');
      await page.waitForSelector('dialog li:has-text("unheard_of 필수 항목입니다.")');
      await page.unroute('**/v1/app-credentials');
      await page.keyboard.press('Escape');
      expect(person.faults).toEqual([]);
    });
  });
}
