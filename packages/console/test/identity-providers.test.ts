import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDevServer } from './support/dev-server.ts';
import { findChromium } from './support/find-chromium.ts';
import { launch, PLAIN, visit } from './support/open-browser.ts';
import { faultsOf } from './support/page-faults.ts';

const chromium = findChromium();

describe.skipIf(chromium === null)('signing in at an identity provider', () => {
  it('is offered with a button, which leads to the provider', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'changgu-provider-'));
    const config = join(folder, 'changgu.toml');
    await writeFile(
      config,
      '[identity_providers.acme]\nlabel = "Acme"\nissuer = "http://127.0.0.1:9"\nclient_id = "changgu"\n',
    );
    const [server, browser] = await Promise.all([
      // The failed request would be logged.
      startDevServer({ CHANGGU_CONFIG: config, CHANGGU_LOG_LEVEL: 'fatal' }),
      launch(chromium ?? ''),
    ]);
    const { page, go, context } = await visit(browser, server, PLAIN);
    await go('');
    const button = page.getByRole('link', { name: 'Sign in with Acme', exact: true });
    await button.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await button.click();
    // That port is closed: the page says so, and leads back.
    await page.waitForSelector('[role=alert]');
    expect(page.url()).toBe(`${server.base_url}/v1/auth/providers/acme/start`);
    await page.click('a');
    await page.waitForSelector('input[name=email]');
    await page.fill('input[name=email]', server.console.email);
    await page.fill('input[name=password]', server.console.password);
    await page.click('button[type=submit]');
    await page.waitForSelector('#main h1');
    await go('account');
    const connect = page.getByRole('link', { name: 'Connect Acme', exact: true });
    await connect.waitFor();
    expect(await connect.getAttribute('href')).toContain('/acme/start?pin=1');
    // On the cover over what was typed, it opens apart.
    await page.click('text=Request deletion');
    await page.fill('dialog textarea', 'Typed');
    await context.clearCookies();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.locator('dialog.cover').waitFor();
    await button.waitFor();
    expect(await button.getAttribute('target')).toBe('_blank');
    await context.close();
    await Promise.all([browser.close(), server.close()]);
    await rm(folder, { recursive: true });
  });
});
