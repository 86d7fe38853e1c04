import type { Page } from 'playwright-core';

/** What a page shows that it should not: names of others, and elements that text has become. */
export interface Sight {
  readonly foreign: readonly string[];
  readonly active: number;
}

interface Hands {
  /** Shows a screen, with what it reads. */
  open(path: string): Promise<void>;
  /** Nothing is under way in the page. */
  quiet(): Promise<void>;
  look(foreign: readonly string[]): Sight;
  /** False when there is no such button or link. Those that end the session, or leave the page, are left out. */
  clickNth(within: string, index: number): boolean;
}

declare global {
  interface Window {
    hands: Hands;
  }
}

/** For tests that do much in a page: from outside, each wait and each look is a call of its own. */
export async function putHandsInto(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const LAST = /sign out|end all|menu|copy|close|(register|replace) (a|the) card/i;
    const CLICKABLE = ['button:not([aria-disabled=true])', 'a[href^="/console"]', 'summary'];
    // A page that waits this long waits for good, as one whose session has ended does.
    const MAX_MS = 30_000;
    const frame = () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    // At least a frame: what a click begins is seen then.
    const until = async (holds: () => boolean) => {
      const end = performance.now() + MAX_MS;
      do await frame();
      while (!holds() && performance.now() < end);
      if (!holds())
        throw new Error(`${location.pathname} waits: ${document.body.textContent?.trim()}`);
    };
    const has = (selector: string) => document.querySelector(selector) !== null;
    window.hands = {
      async open(path) {
        for (const dialog of document.querySelectorAll('dialog')) dialog.close();
        window.history.pushState(null, '', new URL(path, document.baseURI));
        window.dispatchEvent(new PopStateEvent('popstate'));
        await until(() => has('#main h1') && !has('.loading'));
      },
      quiet: () => until(() => !has('.loading, button[aria-disabled=true]')),
      look(foreign) {
        const html = document.documentElement.outerHTML;
        const active = document.querySelectorAll('main img, main script, main iframe');
        return { foreign: foreign.filter((name) => html.includes(name)), active: active.length };
      },
      clickNth(within, index) {
        const all = document.querySelectorAll<HTMLElement>(
          CLICKABLE.map((each) => `${within} ${each}`).join(),
        );
        const names = new Set<string>();
        // Of rows that look the same, one is enough.
        const distinct = [...all].filter((each) => {
          const name = each.getAttribute('aria-label') ?? each.textContent ?? '';
          if (LAST.test(name) || names.has(name)) return false;
          names.add(name);
          return true;
        });
        distinct[index]?.click();
        return distinct[index] !== undefined;
      },
    };
  });
}
