import { describe, expect, it } from 'vitest';
import { drawn, PLAIN, settled, type Visit, visit } from '../support/open-browser.ts';
import { faultsOf } from '../support/page-faults.ts';
import type { Stage } from '../support/stage.ts';

const WIDTHS = [360, 1280] as const;

/** All of them at once, on a machine that does other things too. */
const MAX_MS = 180_000;

/** Each screen is opened once per language; widths and themes are changed under it. */
export function describeScreens(stage: Stage): void {
  describe.concurrent('every screen, at every width and in every theme', () => {
    it.each(['ko', 'en'] as const)(
      'is accessible and fits: %s',
      { timeout: MAX_MS },
      async (language) => {
        const job = await stage.server.submit('bank_a.accounts.list', { outcome: 'FAILED' });
        const link = `links/${stage.server.account_links.bank_a}`;
        const action = 'catalog/bank_b.accounts.transaction_history.search';
        const paths = ['', 'jobs', `jobs/${job}`, 'runs', 'links', link, 'catalog', action, 'keys'];
        const person = await visit(stage.browser, stage.server, { ...PLAIN, language });
        await person.signIn(stage.colleague.email, stage.colleague.password);
        const others = ['webhooks', 'billing', 'people', 'audit', 'account', 'nowhere'];
        await expectNoFaults(person, [...paths, ...others]);
        expect([...person.errors, ...person.faults]).toEqual([]);
        await person.context.close();
      },
    );

    it.each(['ko', 'en'] as const)(
      'is accessible and fits for operators: %s',
      { timeout: MAX_MS },
      async (language) => {
        const operator = await visit(stage.browser, stage.server, { ...PLAIN, language });
        await operator.signInAsOperator(stage.server.admin.token);
        const paths = ['', 'organizations', 'service', 'approvals', 'audit'];
        await expectNoFaults(operator, paths);
        expect([...operator.errors, ...operator.faults]).toEqual([]);
        await operator.context.close();
      },
    );

    it('opens the menu of a narrow screen, and says that it is open', async () => {
      const { page, signIn, context } = await visit(stage.browser, stage.server, {
        ...PLAIN,
        width: 360,
      });
      await signIn(stage.colleague.email, stage.colleague.password);
      const menu = page.locator('button[aria-label=Menu]');
      const state = () =>
        menu.evaluate((button) => [
          button.getAttribute('aria-expanded'),
          document.getElementById(button.getAttribute('aria-controls') ?? '')?.tagName,
        ]);
      expect(await state()).toEqual(['false', 'NAV']);
      await menu.click();
      await page.waitForSelector('nav >> text=Sign out');
      expect(await state()).toEqual(['true', 'NAV']);
      await context.close();
    });

    it('keeps an id of the audit in one line, and leads from there to what it names', async () => {
      const job = await stage.server.submit('bank_a.accounts.list');
      const { page, go, signIn, context } = await visit(stage.browser, stage.server);
      await signIn(stage.colleague.email, stage.colleague.password);
      // As little room as the longest name of an act leaves at 1280 px.
      await page.setViewportSize({ width: 1180, height: 800 });
      await go('audit?act=job.submit');
      const row = page.locator('main tbody tr', { hasText: job });
      await row.waitFor();
      const codes = row.locator('td > span > code, td > a > code');
      expect(await codes.count()).toBe(2);
      for (const code of await codes.all()) {
        expect(await code.evaluate((element) => element.getClientRects().length)).toBe(1);
      }
      await row.locator('a').click();
      await settled(page);
      expect(page.url()).toContain(`/console/jobs/${job}`);
      await context.close();
    });

    it('breaks no business number at its hyphens', async () => {
      const look = { ...PLAIN, width: 360 };
      const { page, go, signIn, context } = await visit(stage.browser, stage.server, look);
      await signIn(stage.colleague.email, stage.colleague.password);
      // With a name of any length before it.
      await page.route('**/v1/credentials/*', async (route) => {
        const answer = await route.fetch();
        const link = { business_name: 'Daehan Trade', biz_number: '1248100998' };
        await route.fulfill({ response: answer, json: { ...(await answer.json()), ...link } });
      });
      await go(`links/${stage.server.account_links.bank_a}`);
      await settled(page);
      const number = page.getByText('124-81-00998');
      expect(await number.textContent()).toBe('124-81-00998');
      expect(await number.evaluate((element) => element.getClientRects().length)).toBe(1);
      await context.close();
    });

    it('finds actions by Korean in decomposed form, as file names have it', async () => {
      const { page, go, signIn, context } = await visit(stage.browser, stage.server, {
        ...PLAIN,
        language: 'ko',
      });
      await signIn(stage.colleague.email, stage.colleague.password);
      await go('catalog');
      await page.fill('input[name=search]', 'C은행 간편'.normalize('NFD'));
      await page.waitForSelector('code:has-text("bank_a.accounts.list")', { state: 'hidden' });
      await page.waitForSelector('code:has-text("bank_c.accounts.transaction_history.search")');
      expect(await page.locator('main tbody tr').count()).toBe(1);
      await context.close();
    });

    it('tells in Korean what params and their values are', async () => {
      const { page, go, signIn, context } = await visit(stage.browser, stage.server, {
        ...PLAIN,
        language: 'ko',
      });
      await signIn(stage.colleague.email, stage.colleague.password);
      await go('catalog/tax_portal.c1.tax_payment_record');
      await page.waitForSelector('td:has-text("증명의 제출처: 01 금융기관, 02 관공서")');
      const texts = await page.locator('main tbody tr > :last-child').allTextContents();
      expect(texts.length).toBeGreaterThan(4);
      expect(texts.filter((text) => !/[가-힣]/.test(text))).toEqual([]);
      await context.close();
    });
  });
}

async function expectNoFaults({ page, go }: Visit, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    // Signing in has shown the first.
    if (path !== '') await go(path);
    await settled(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      // Only the menu of a narrow screen has colors of its own, and the first screen shows it.
      const isColored = width === 1280 || path === '';
      await page.emulateMedia({ colorScheme: 'light' });
      const rules = isColored ? 'all' : 'all but colors';
      expect(await faultsOf(page, rules), `${path} ${width} light`).toEqual([]);
      if (!isColored) continue;
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faultsOf(page, 'colors'), `${path} ${width} dark`).toEqual([]);
    }
  }
}
