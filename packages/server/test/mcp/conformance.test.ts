import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSuite } from '../support/conformance/run-suite.ts';
import { serveFixture } from '../support/conformance/serve-fixture.ts';
import { withHeaders } from '../support/conformance/with-headers.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const expectedOf = (revision: string) =>
  fileURLToPath(new URL(`../support/conformance/expected-${revision}.yml`, import.meta.url));

const UNSCORED = new Set(['http-header-validation', 'server-session-lifecycle']);

/** Scenarios that any server passes or fails as it is, without fixtures. */
const OF_ANY_SERVER = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list'],
  '2026-07-28': [
    'tools-list',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
} as const;

describe('the official conformance suite, with its fixtures on our app', () => {
  let fixture: Awaited<ReturnType<typeof serveFixture>>;

  beforeAll(async () => {
    fixture = await serveFixture();
  });
  afterAll(() => fixture.close());

  it.each([
    ['2025-11-25', 25],
    ['2026-07-28', 37],
  ])(
    'passes all that %s requires of a server without sessions',
    async (revision, count) => {
      const expected = ['--expected-failures', expectedOf(revision), '--timeout', '5000'];
      const run = await runSuite(fixture.url, '--requirements', revision, ...expected);
      const { exitCode, output, scenarios } = run;
      expect(exitCode, output).toBe(0);
      const passed = scenarios.filter(
        ({ name, failed, passed: checks }) => failed === 0 && checks > 0 && !UNSCORED.has(name),
      );
      expect(passed.length, output).toBe(count);
    },
    120_000,
  );
});

describe('the official conformance suite on the service itself', () => {
  let server: TestServer;
  let proxy: Awaited<ReturnType<typeof withHeaders>>;

  beforeAll(async () => {
    server = await startTestServer();
    proxy = await withHeaders(new URL('/mcp', server.url).href, server.headers());
  });
  afterAll(async () => {
    proxy.close();
    await server[Symbol.asyncDispose]();
  });

  const runs = Object.entries(OF_ANY_SERVER).flatMap(([revision, names]) =>
    names.map((name) => [name, revision] as const),
  );

  it.each(runs)(
    '%s of %s',
    async (name, revision) => {
      const run = await runSuite(proxy.url, '--scenario', name, '--spec-version', revision);
      expect(run.exitCode, run.output).toBe(0);
      expect(run.output).not.toMatch(/SKIPPED|FAILURE/);
    },
    60_000,
  );
});
