/** Takes the pictures of docs/console.md: node --conditions=@changgu/source packages/console/scripts/screenshots.ts */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startDevServer } from '../test/support/dev-server.ts';
import { findChromium } from '../test/support/find-chromium.ts';
import { launch, settled, visit } from '../test/support/open-browser.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'images');

const chromium = findChromium();
if (chromium === null) throw new Error('the pictures need a Chromium: set CHROMIUM_PATH');
await mkdir(FOLDER, { recursive: true });
const server = await startDevServer();
const browser = await launch(chromium);
const link = server.account_links.bank_b ?? '';
const action = 'bank_b.accounts.transaction_history.search';
const job = await server.submit(action, { env: 'real_test', link });
for (const each of ['bank_a.accounts.list', 'bank_c.accounts.list', 'bank_d.accounts.list']) {
  await server.submit(each, { env: 'real_test' });
}
const all = { provider: 'bank_c', action: 'bank_c.accounts.transaction_history.search' };
const headers = { 'x-env-scope': 'real_test', 'idempotency-key': 'every-night' };
await server.call('POST', '/v1/jobs/all-accounts', all, headers);

await take('home', '', { width: 1100, colorScheme: 'light', language: 'en' });
await take('job', `jobs/${job}`, { width: 1100, colorScheme: 'light', language: 'ko' });
await take('run', 'runs?key=every-night', { width: 1100, colorScheme: 'light', language: 'en' });
await take('links', 'links', { width: 1100, colorScheme: 'dark', language: 'en' });
await take('narrow', 'jobs', { width: 360, colorScheme: 'dark', language: 'ko' });
await takeOfOperator('service', 'service', { width: 1100, colorScheme: 'light', language: 'en' });
await browser.close();
await server.close();

async function takeOfOperator(
  name: string,
  path: string,
  look: Parameters<typeof visit>[2],
): Promise<void> {
  const { page, signInAsOperator, context } = await visit(browser, server, look);
  await signInAsOperator(server.admin.token);
  // The token is in the memory of this page: another address would forget it.
  await page.click(`nav a[href$="${path}"]`);
  await settled(page);
  await page.uncheck('.page-header input[type=checkbox]');
  await page.screenshot({ path: join(FOLDER, `console-${name}.png`) });
  await context.close();
}

async function take(name: string, path: string, look: Parameters<typeof visit>[2]): Promise<void> {
  const { page, go, signIn, context } = await visit(browser, server, look);
  await signIn(server.console.email, server.console.password);
  await page.selectOption('select.environment', 'real_test');
  await go(path);
  await settled(page);
  await page.screenshot({ path: join(FOLDER, `console-${name}.png`) });
  await context.close();
}
