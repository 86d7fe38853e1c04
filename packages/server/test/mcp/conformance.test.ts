import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  complaintsOf,
  passedScenarios,
  runSuite,
  type SuiteRun,
} from '../support/conformance/run-suite.ts';
import { serveFixture } from '../support/conformance/serve-fixture.ts';
import { withHeaders } from '../support/conformance/with-headers.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const expectedOf = (revision: string) =>
  fileURLToPath(new URL(`../support/conformance/expected-${revision}.yml`, import.meta.url));

const UNSCORED = new Set(['http-header-validation', 'server-session-lifecycle']);

/** Scenarios that any server passes or fails as it is, without fixtures. */
const OF_ANY_SERVER = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
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
      const run = await runSuite(fixture.url, revision, { expectedFailures: expectedOf(revision) });
      expect(run.exitCode, run.output).toBe(0);
      const scored = passedScenarios(run).filter((name) => !UNSCORED.has(name));
      expect(scored.length, run.output).toBe(count);
    },
    120_000,
  );
});

describe('the official conformance suite on the service itself', () => {
  let server: TestServer;
  const runs = new Map<string, SuiteRun>();

  beforeAll(async () => {
    server = await startTestServer();
    const proxy = await withHeaders(new URL('/mcp', server.url).href, server.headers());
    for (const revision of Object.keys(OF_ANY_SERVER)) {
      runs.set(revision, await runSuite(proxy.url, revision));
    }
    proxy.close();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const scenarios = Object.entries(OF_ANY_SERVER).flatMap(([revision, names]) =>
    names.map((name) => [name, revision] as const),
  );

  it.each(scenarios)('%s of %s', (name, revision) => {
    const run = runs.get(revision);
    expect(run && complaintsOf(run, name)).toEqual([]);
  });
});
