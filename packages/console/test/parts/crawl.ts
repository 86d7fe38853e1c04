import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { settled, type Visit, visit } from '../support/open-browser.ts';
import { invite, logIn, register } from '../support/people.ts';
import { type Stage, XSS } from '../support/stage.ts';

const PATHS = ['', 'jobs', 'links', 'catalog', 'keys', 'webhooks', 'people', 'money', 'audit'];
/** All of them at once, on a machine that does other things too. */
const MAX_MS = 180_000;
/** They end the session, or leave the page. */
const LAST = /sign out|end all|menu|copy|close|(register|replace) (a|the) card/i;

/** An organization of its own, with hostile text in what its people can name, and everybody in it clicks everything. */
export function describeCrawl(stage: Stage): void {
  describe('a crawl that clicks everything', () => {
    const email = { OWNER: 'crawl-owner@example.com', ADMIN: 'crawl-admin@example.com' };
    const people = { ...email, MEMBER: 'crawl-member@example.com' };
    let password = '';
    /** What only the demo organization has. */
    let foreign: string[];

    beforeAll(async () => {
      const { server } = stage;
      password = await register(server, people.OWNER, XSS.slice(0, 100));
      const token = await logIn(server, people.OWNER, password);
      await invite(server, token, people.ADMIN, 'ADMIN');
      await invite(server, token, people.MEMBER, 'MEMBER');
      const bearer = { authorization: `Bearer ${token}` };
      await server.call('POST', '/v1/app-credentials', { label: XSS.slice(0, 90) }, bearer);
      const application = { company_name: XSS.slice(0, 200), contact_email: 'a@example.com' };
      await server.call(
        'POST',
        '/v1/me/integrator-applications',
        { ...application, terms_agreed: true, use_case_text: XSS },
        bearer,
      );
      const job = await server.submit('bank_a.accounts.list');
      foreign = [
        server.client.client_id,
        server.console.email,
        job,
        ...Object.values(server.account_links),
      ];
    });

    it.concurrent.each(['MEMBER', 'ADMIN', 'OWNER'] as const)(
      '%s meets no error and nothing of another organization',
      { timeout: MAX_MS },
      async (role) => {
        const guest = await visit(stage.browser, stage.server);
        await guest.signIn(people[role], password);
        const refused = watchAnswers(guest.page);
        const clicked = await crawl(guest, foreign);
        expect(clicked).toBeGreaterThan(15);
        expect([...refused, ...guest.faults]).toEqual([]);
        await guest.context.close();
      },
    );

    it.concurrent('an operator meets no error', async () => {
      const guest = await visit(stage.browser, stage.server);
      await guest.signInAsOperator(stage.server.admin.token);
      const refused = watchAnswers(guest.page);
      expect(await crawl(guest, [], ['', 'organizations', 'approvals', 'audit'])).toBeGreaterThan(
        2,
      );
      expect([...refused, ...guest.faults]).toEqual([]);
      await guest.context.close();
    });
  });
}

/** What no page may ask for: what fails, and what the person may not do. */
function watchAnswers(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 500 || [401, 403].includes(answer.status())) {
      refused.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
    }
  });
  return refused;
}

/** Clicks each thing of each screen, and in a window that opens what sends it. Answers how many. */
async function crawl(
  { page }: Visit,
  foreign: readonly string[],
  paths: readonly string[] = [...PATHS, 'account'],
): Promise<number> {
  let clicked = 0;
  for (const path of paths) {
    for (let index = 0; ; index += 1) {
      await open(page, path);
      await expectNothingOf(page, foreign);
      if (!(await clickNth(page, 'main', index))) break;
      clicked += 1;
      await quiet(page);
      if (await clickNth(page, 'dialog[open] .form', 0)) await quiet(page);
      await expectNothingOf(page, foreign);
    }
  }
  return clicked;
}

async function open(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
    window.history.pushState(null, '', new URL(to, document.baseURI));
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await settled(page);
}

/** False when there is no such button or link. Those that end the session are left out. */
function clickNth(page: Page, within: string, index: number): Promise<boolean> {
  return page.evaluate(
    ([scope, position, last]) => {
      const leaves = new RegExp(last, 'i');
      const all = document.querySelectorAll<HTMLElement>(
        `${scope} button:not([aria-disabled=true]), ${scope} a[href^="/console"], ${scope} summary`,
      );
      const names = new Set<string>();
      // Of rows that look the same, one is enough.
      const distinct = [...all].filter((each) => {
        const name = each.getAttribute('aria-label') ?? each.textContent ?? '';
        if (leaves.test(name) || names.has(name)) return false;
        names.add(name);
        return true;
      });
      distinct[position]?.click();
      return distinct[position] !== undefined;
    },
    [within, index, LAST.source] as const,
  );
}

/** Nothing is under way in the page. */
async function quiet(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('.loading, button[aria-disabled=true]') === null,
  );
}

/** Asked in the page: over the wire, its HTML at every step costs more than the steps. */
async function expectNothingOf(page: Page, foreign: readonly string[]): Promise<void> {
  const found = await page.evaluate((names) => {
    const html = document.documentElement.outerHTML;
    const active = document.querySelectorAll('main img, main script, main iframe');
    return { foreign: names.filter((name) => html.includes(name)), active: active.length };
  }, foreign);
  expect(found).toEqual({ foreign: [], active: 0 });
}
