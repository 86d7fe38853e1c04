import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { DevServer } from './dev-server.ts';

/** What no page of ours may ever do, gathered over the whole visit. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught errors, refusals of the content security policy, and dialogs that a script opened. */
  readonly faults: readonly string[];
  /** What the browser itself logged as an error, refused requests among it. */
  readonly errors: readonly string[];
  /** Bodies and addresses of all requests, to look for what must not leave the page. */
  readonly sent: readonly string[];
  /** Shows a screen: by loading the page, or in a loaded one as a link does, which takes a tenth of the work. */
  go(path: string): Promise<void>;
  signIn(email: string, password: string): Promise<void>;
  signInAsOperator(token: string): Promise<void>;
}

export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly language: 'ko' | 'en';
}

export const PLAIN: Look = { width: 1280, colorScheme: 'light', language: 'en' };

export function launch(executablePath: string): Promise<Browser> {
  const args = [
    '--no-sandbox',
    // Without a graphics processor, a process for it only passes on what is drawn.
    '--disable-gpu',
    '--in-process-gpu',
    // Visits keep their own cookies and storage in one process, too, which starts and compiles once for all.
    '--renderer-process-limit=1',
    // No page lives long enough for code of the optimizing compilers to pay for their work.
    '--js-flags=--no-opt --no-maglev',
  ];
  return chromium.launch({ executablePath, args });
}

/** A browser without a history. */
export async function visit(browser: Browser, server: DevServer, look = PLAIN): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: 800 },
    colorScheme: look.colorScheme,
    locale: look.language === 'ko' ? 'ko-KR' : 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  const errors: string[] = [];
  const sent: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
    if (/content security policy|trusted type/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const go = async (path: string) => {
    const { href } = new URL(`/console/${path}`, server.base_url);
    if (!(await moveTo(page, href))) return void (await page.goto(href));
    await drawn(page);
    // A screen that loads has no heading yet: the next move would read the page anew, without its session. Where that
    // session has ended, what the page shows is the form to sign in, perhaps over the screen.
    await page.waitForSelector('main h1 >> visible=true');
  };
  return {
    page,
    context,
    faults,
    errors,
    sent,
    go,
    async signIn(email, password) {
      await go('');
      await page.fill('input[name=email]', email);
      await page.fill('input[name=password]', password);
      await page.click('button[type=submit]');
      await page.waitForSelector('#main h1');
    },
    async signInAsOperator(token) {
      await go('');
      await page.click(`text=/operator token|운영자 토큰/`);
      await page.fill('input[name=token]', token);
      await page.click('button[type=submit]');
      await page.waitForSelector('#main h1');
    },
  };
}

/** False where the page shows no screen of the console, or this one already. */
async function moveTo(page: Page, href: string): Promise<boolean> {
  return page.evaluate((to) => {
    const { pathname, origin } = new URL(to);
    const isScreen = document.querySelector('#main h1') !== null;
    if (!isScreen || origin !== location.origin || pathname === location.pathname) return false;
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
    return true;
  }, href);
}

/** The screen has shown what it reads: nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#main h1');
  await page.waitForFunction(() => document.querySelector('.loading') === null);
}

/** The page has drawn itself: what follows the width of the window, as the chart does, follows before a frame ends. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
}
