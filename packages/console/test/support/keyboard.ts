import type { Page } from 'playwright-core';

const MAX_STEPS = 80;

/** Goes forward to the control of this name, as a person without a mouse does, and sees where the focus is on the way. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    const { name: focused, isVisible } = await focus(page);
    if (!isVisible) throw new Error(`the focus on ${focused} cannot be seen`);
    if (focused === name) return;
  }
  throw new Error(`${name} cannot be reached by the keyboard`);
}

/** Goes there and presses it. */
export async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Goes to the field, unless the focus is there, and fills it. */
export async function fill(page: Page, name: string, text: string): Promise<void> {
  if ((await focusedName(page)) !== name) await tabTo(page, name);
  await page.keyboard.type(text);
}

export async function focusedName(page: Page): Promise<string> {
  return (await focus(page)).name;
}

function focus(page: Page): Promise<{ readonly name: string; readonly isVisible: boolean }> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    // Past the last control the browser's own begin.
    if (element === null || element === document.body) return { name: '', isVisible: true };
    const labels = 'labels' in element ? element.labels : null;
    const label = labels instanceof NodeList ? labels[0]?.textContent : null;
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { width, height, left, bottom } = element.getBoundingClientRect();
    const isThere = width > 0 && height > 0 && left >= 0 && bottom > 0;
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return { name: name.trim(), isVisible: isThere && isOutlined };
  });
}
