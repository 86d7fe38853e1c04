import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Visit, visit } from '../support/open-browser.ts';
import { putHandsInto, type Sight } from '../support/page-hands.ts';
import { invite, logIn, register } from '../support/people.ts';
import { type Stage, XSS } from '../support/stage.ts';

const PATHS = ['', 'jobs', 'links', 'catalog', 'keys', 'webhooks', 'people', 'billing', 'audit'];
/** All of them at once, on a machine that does other things too. */
const MAX_MS = 180_000;

/** An organization of its own, with hostile text in what its people can name, and all in it click everything. */
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

    // In turn, and in this order: the administrator's crawl removes the member, the owner's hands over.
    it.each(['MEMBER', 'ADMIN', 'OWNER'] as const)(
      '%s meets no error and nothing of another organization',
      { timeout: MAX_MS },
      async (role) => {
        const guest = await visit(stage.browser, stage.server);
        await putHandsInto(guest.page);
        await guest.signIn(people[role], password);
        const refused = watchAnswers(guest.page);
        const clicked = await crawl(guest, foreign);
        expect(clicked).toBeGreaterThan(15);
        expect([...refused, ...guest.faults]).toEqual([]);
        await guest.context.close();
      },
    );

    it('an operator meets no error', async () => {
      const guest = await visit(stage.browser, stage.server);
      await putHandsInto(guest.page);
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
      const screen = await openAndClick(page, { path, index, foreign });
      expect(screen.sight).toEqual(NOTHING);
      if (!screen.clicked) break;
      clicked += 1;
      expect(await sendForm(page, foreign)).toEqual(NOTHING);
    }
  }
  return clicked;
}

const NOTHING: Sight = { foreign: [], active: 0 };

interface Step {
  readonly path: string;
  readonly index: number;
  readonly foreign: readonly string[];
}

/** Opens a screen, looks at it and clicks. Two calls for a step: a call takes longer than all that it asks for. */
function openAndClick(page: Page, step: Step): Promise<{ sight: Sight; clicked: boolean }> {
  return page.evaluate(async ({ path, index, foreign }) => {
    const { hands } = window;
    await hands.open(path);
    return { sight: hands.look(foreign), clicked: hands.clickNth('main', index) };
  }, step);
}

function sendForm(page: Page, foreign: readonly string[]): Promise<Sight> {
  return page.evaluate(async (names) => {
    const { hands } = window;
    await hands.quiet();
    if (hands.clickNth('dialog[open] .form', 0)) await hands.quiet();
    return hands.look(names);
  }, foreign);
}
