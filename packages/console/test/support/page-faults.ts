import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Which rules of axe judge the page. Whether colors can be told apart takes it as long as all the rest. */
export type Rules = 'all' | 'colors' | 'all but colors';

const OPTIONS = {
  all: {},
  colors: { runOnly: ['color-contrast'] },
  'all but colors': { rules: { 'color-contrast': { enabled: false } } },
} satisfies Record<Rules, object>;

/**
 * What makes the page hard to use: violations that axe finds, what is wider than the window, and buttons of a row that
 * do not say of which.
 */
export async function faultsOf(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // A page keeps what was read into it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (options) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : [];
    const judge = Reflect.get(window, 'axe');
    const { violations } = await judge.run({ resultTypes: ['violations'], ...options });
    const names = violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`,
    );
    // Read aloud without its row, "Revoke" could be any of them.
    const nameless = [...document.querySelectorAll('tbody button:not([aria-label])')].map(
      (button) => `names no row: ${button.outerHTML}`,
    );
    return [...wide, ...names, ...nameless];
  }, OPTIONS[rules]);
}

/** What a screen reader reads with the focus: the field, whether it is wrong, and what is said of it. */
export function focusedField(page: Page) {
  return page.evaluate(() => {
    const { activeElement: field } = document;
    const ids = field?.getAttribute('aria-describedby')?.split(' ') ?? [];
    return {
      name: field?.getAttribute('name'),
      invalid: field?.getAttribute('aria-invalid'),
      said: ids.map((id) => document.getElementById(id)?.textContent).join(' '),
    };
  });
}
