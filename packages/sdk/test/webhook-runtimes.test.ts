/** Receivers on every runtime that the README names, with the packed package. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { Miniflare } from 'miniflare';
import { chromium } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { findChromium } from '../../console/test/support/find-chromium.ts';
import { packProject, ROOT, slow, write } from './support/packed-project.ts';
import { bundle, runAsync, runtimes, workerGlobals } from './support/runtimes.ts';

packProject();

const ID = 'evt_00000000000000000000000001';
const BODY = JSON.stringify({ event_id: ID, type: 'job.finished', subject: {}, data: {} });

/** One generation of an endpoint's keys. */
function generation(fill: number) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    secret: `whsec_${Buffer.alloc(32, fill).toString('base64')}`,
    publicKey: `whpk_${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`,
    privateKey,
  };
}

function signaturesOf({ secret, privateKey }: { secret: string; privateKey: KeyObject }, at: Date) {
  const content = `${ID}.${Math.floor(at.getTime() / 1_000)}.${BODY}`;
  const v1a = sign(null, Buffer.from(content), privateKey).toString('base64');
  return `${new Webhook(secret).sign(ID, at, BODY)} v1a,${v1a}`;
}

/** What a receiver is sent and holds, and what it should say: the id, or what is wrong. */
function cases() {
  const [before, now, other] = [generation(1), generation(2), generation(3)];
  const at = new Date();
  const message = (...generations: ReturnType<typeof generation>[]) => ({
    body: BODY,
    headers: {
      'webhook-id': ID,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': generations.map((each) => signaturesOf(each, at)).join(' '),
    },
  });
  return [
    { ...message(now), secrets: now.secret, expected: ID },
    { ...message(now), secrets: now.publicKey, expected: ID },
    // During a rotation the service signs with both, and a receiver may hold either or both.
    { ...message(now, before), secrets: before.secret, expected: ID },
    { ...message(now, before), secrets: before.publicKey, expected: ID },
    { ...message(before), secrets: [now.secret, before.secret], expected: ID },
    { ...message(before), secrets: [now.publicKey, before.publicKey], expected: ID },
    { ...message(now), secrets: [other.secret, other.publicKey], expected: 'signature' },
    { ...message(now), body: `${BODY} `, secrets: now.secret, expected: 'signature' },
    { ...message(now), body: `${BODY} `, secrets: now.publicKey, expected: 'signature' },
  ];
}

/** What `verifyWebhook` says in all cases. */
const program = (given: ReturnType<typeof cases>) => `
  async function verified() {
    const said = [];
    for (const { body, headers, secrets } of ${JSON.stringify(given)}) {
      const event = verifyWebhook(body, new Headers(headers), secrets);
      said.push(await event.then(({ eventId }) => eventId, (error) => error.flaw ?? String(error)));
    }
    return said;
  }`;

const IMPORT = `import { verifyWebhook } from '@changgu/sdk/webhooks';`;
const expected = (given: ReturnType<typeof cases>) => given.map((each) => each.expected);
const page = (given: ReturnType<typeof cases>) =>
  bundle('verify', `${IMPORT} ${program(given)} globalThis.verified = verified;`);

describe('verifyWebhook', slow, () => {
  it.each([
    ['receiver.mjs', IMPORT],
    ['receiver.cjs', `const { verifyWebhook } = require('@changgu/sdk/webhooks');`],
  ])(
    'takes both kinds of signature, and those of a rotation, on Node in %s',
    async (name, load) => {
      const given = cases();
      write(
        name,
        `${load} ${program(given)} verified().then((said) => console.log(JSON.stringify(said)));`,
      );
      const { stdout, stderr } = await runAsync(process.execPath, [name]);
      expect(JSON.parse(stdout || 'null'), stderr).toEqual(expected(given));
    },
  );

  it.each(runtimes)('does so on $runtime', async ({ from, binary, args }) => {
    const given = cases();
    write(
      'verify.mjs',
      `${IMPORT} ${program(given)} console.log(JSON.stringify(await verified()));`,
    );
    const command = join(ROOT, 'node_modules', from, binary);
    const { stdout, stderr } = await runAsync(command, [...args, 'verify.mjs']);
    expect(JSON.parse(stdout || 'null'), stderr).toEqual(expected(given));
  });

  it.each([[['nodejs_compat']], [[]]])('does so in workerd with the flags %j', async (flags) => {
    const given = cases();
    const script = await bundle(
      'verifier',
      `${IMPORT} ${program(given)} export default { fetch: async () => Response.json(await verified()) };`,
      { format: 'esm', conditions: ['workerd', 'worker', 'browser'] },
    );
    const worker = new Miniflare({
      modules: true,
      script,
      compatibilityDate: '2026-06-01',
      compatibilityFlags: flags,
    });
    try {
      const answer = await worker.dispatchFetch('http://worker.test/');
      expect(await answer.json()).toEqual(expected(given));
    } finally {
      await worker.dispose();
    }
  });

  it('does so in a worker without anything of Node', async () => {
    const given = cases();
    const context = createContext(workerGlobals());
    runInContext(await page(given), context);
    expect(await context.verified()).toEqual(expected(given));
  });

  const executablePath = findChromium();
  it.skipIf(executablePath === null)('does so in a browser', async () => {
    const given = cases();
    const browser = await chromium.launch({ executablePath: executablePath ?? '' });
    try {
      const tab = await browser.newPage();
      // Encryption needs a secure context, which loopback is.
      await tab.route('http://127.0.0.1/', (route) => route.fulfill({ body: '<!doctype html>' }));
      await tab.goto('http://127.0.0.1/');
      await tab.addScriptTag({ content: await page(given) });
      expect(await tab.evaluate('verified()')).toEqual(expected(given));
    } finally {
      await browser.close();
    }
  });
});
