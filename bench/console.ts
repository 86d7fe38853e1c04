/**
 * Claim: the first view of the console needs at most 60 kB of JavaScript, gzipped, and stands after at most 1 s.
 * A signed-in person opens the home screen in a browser that has nothing in its cache; from the request for the page
 * until the last of its parts has been read and shown.
 * Run: node --conditions=@changgu/source bench/console.ts
 */
import { startDevServer } from '../packages/console/test/support/dev-server.ts';
import { findChromium } from '../packages/console/test/support/find-chromium.ts';
import { launch, settled, visit } from '../packages/console/test/support/open-browser.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const MAX_BYTES = 60_000;
const MAX_MILLISECONDS = 1_000;

const chromium = findChromium();
if (chromium === null) throw new Error('this bench needs a Chromium: set CHROMIUM_PATH');
const server = await startDevServer();
const browser = await launch(chromium);

const views = [];
for (let round = 0; round <= ROUNDS; round += 1) views.push(await firstView());
// The first one also waits for the console to be built.
const measured = views.slice(1);
const milliseconds = median(measured.map((view) => view.milliseconds));
const bytes = Math.max(...measured.map((view) => view.scriptBytes));
console.log(`JavaScript of the first view, gzipped: ${bytes} bytes (goal: ≤ ${MAX_BYTES})`);
console.log(`Style sheet, gzipped: ${measured[0]?.styleBytes} bytes`);
console.log(
  `First view, median of ${ROUNDS}: ${milliseconds.toFixed(0)} ms (goal: ≤ ${MAX_MILLISECONDS})`,
);
await browser.close();
await server.close();
process.exitCode = bytes <= MAX_BYTES && milliseconds <= MAX_MILLISECONDS ? 0 : 1;

async function firstView() {
  const { page, context, go, signIn } = await visit(browser, server);
  await signIn(server.console.email, server.console.password);
  const browserSession = await context.newCDPSession(page);
  await browserSession.send('Network.clearBrowserCache');
  await go('');
  await settled(page);
  const facts = await page.evaluate(() => {
    const sizes = (ending: string) =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith(ending))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return {
      milliseconds: performance.now(),
      scriptBytes: sizes('.js'),
      styleBytes: sizes('.css'),
    };
  });
  await context.close();
  return facts;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
