import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Fetch, FetchAnswer } from '@changgu/sdk';
import { expect, it } from 'vitest';
import { httpFetch } from '../src/http-fetch.ts';
import { testHome } from './support/run.ts';

const SUITE = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
);
const pathOf = (name: string) =>
  fileURLToPath(new URL(`./support/conformance/${name}`, import.meta.url));

/** Scenarios of which nothing is excused in expected-failures.yml. */
const PASSED = {
  auth: ['token-endpoint-auth-none', 'scope-retry-limit'],
  draft: [
    'resource-mismatch',
    'offline-access-scope',
    'offline-access-not-supported',
    'iss-supported',
    'iss-not-advertised',
    'iss-supported-missing',
    'iss-wrong-issuer',
    'iss-unexpected',
    'iss-normalized',
    'metadata-issuer-mismatch',
  ],
};

it.concurrent.each(Object.entries(PASSED))(
  'login --web passes what applies to it in the %s scenarios for clients of the official conformance suite',
  async (suite, names) => {
    await using door = await openDoor();
    const { code, output } = await runSuite(suite, door.url);
    expect(code, output).toBe(0);
    for (const name of names) {
      expect(output).toMatch(new RegExp(`✓ auth/${name}: [1-9]\\d* passed, 0 failed`));
    }
  },
  120_000,
);

/** Where the clients that the suite starts leave their addresses, each to be logged in at. */
async function openDoor() {
  const server = createServer((request, response) => {
    void text(request)
      .then((address) => logIn(new URL(address).origin))
      .then((code) => response.end(String(code)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

async function runSuite(suite: string, door: string) {
  const client = `${process.execPath} ${pathOf('hand-over-main.ts')} ${door}`;
  const expected = pathOf('expected-failures.yml');
  const options = ['--suite', suite, '--command', client, '--expected-failures', expected];
  const run = spawn(process.execPath, [SUITE, 'client', ...options, '--verbose'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(run, 'exit');
  const output = await text(run.stdout);
  const [code]: (number | null)[] = await ended;
  return { code, output };
}

async function logIn(service: string): Promise<number> {
  await using home = await testHome();
  const { code } = await home.run(['login', '--web', '--base-url', service], {
    env: { DISPLAY: ':0' },
    fetch: throughSuite,
    openBrowser: async (address) => {
      await fetch(asInSuite(address));
    },
  });
  return code;
}

/** The suite calls `/mcp` what is `/v1` at a service of ours. Nothing else differs. */
const throughSuite: Fetch = async (url, init) => {
  const body = init.body === null ? null : asInSuite(init.body);
  const answer = await httpFetch(url.replace(/\/v1$/, '/mcp'), { ...init, body });
  if (!url.endsWith('/v1') || answer.status !== 200) return answer;
  return new Response((await textOf(answer)).replace('/mcp"', '/v1"'));
};

function asInSuite(parameters: string): string {
  return parameters.replace(encodeURIComponent('/v1'), encodeURIComponent('/mcp'));
}

async function textOf({ body }: FetchAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return Buffer.concat(chunks).toString();
    chunks.push(value);
  }
}
