import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { chosenOn, registerClient, signIn } from '../support/oauth.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const SUITE = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
);

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer({ env: { OAUTH: 'on' } });
  person = await newPerson(server);
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/**
 * All scenarios that the suite has for authorization servers. Those for clients are run on the command line, in its
 * tests; the official client of the protocol plays the host in the other tests here.
 */
it('passes the scenarios of the official conformance suite for authorization servers', async () => {
  const { client_id } = await registerClient(server);
  const port = await freePort();
  const { code, output } = await runSuite(
    ['--url', `${server.url}/oauth`, '--client-id', client_id],
    ['--resource', `${server.url}/mcp`, '--port', String(port)],
  );
  expect(code, output).toBe(0);
  for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant']) {
    expect(output).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
  }
}, 60_000);

/** The suite prints the address of its request; a person goes there and approves. */
async function runSuite(...args: string[][]) {
  const suite = spawn(process.execPath, [SUITE, 'authorization', ...args.flat()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(suite, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface(suite.stdout)) {
    lines.push(line);
    if (line.startsWith(`${server.url}/oauth/auth?`)) await approve(line);
  }
  const [code]: (number | null)[] = await ended;
  return { code, output: lines.join('\n') };
}

async function approve(address: string): Promise<void> {
  const browser = openBrowser('nowhere:');
  const begun = { browser, page: await browser.open(address), verifier: '', state: '' };
  const page = await signIn(begun, person);
  await browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
}
