import { fileURLToPath } from 'node:url';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixtureServer } from '../../server/test/support/conformance/fixture-server.ts';
import {
  complaintsOf,
  passedScenarios,
  runSuite,
  type SuiteRun,
} from '../../server/test/support/conformance/run-suite.ts';
import { withHeaders } from '../../server/test/support/conformance/with-headers.ts';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import { serveHttp } from '../src/serve-http.ts';
import { bridgeTo } from './support/bridge.ts';
import { taskFixtures } from './support/conformance/task-fixtures.ts';
import { createTaskStore } from './support/conformance/task-store.ts';

const TOKEN = 'token-of-the-conformance-suite';

const expectedOf = (revision: string) =>
  fileURLToPath(new URL(`./support/conformance/expected-${revision}.yml`, import.meta.url));

/** Not in the requirements of the revision, or without a check. */
const UNSCORED = new Set(['http-header-validation', 'server-session-lifecycle']);

/** Scenarios that any server passes or fails as it is, without fixtures. */
const OF_ANY_SERVER = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
} as const;

/** The tenth of them, tasks-status-notifications, is skipped by the suite itself. */
const OF_TASKS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
] as const;

let server: TestServer;
const closings: (() => unknown)[] = [];

/** The HTTP door of the bridge with this behind it, as the suite reaches it. */
async function doorTo(factory?: McpServerFactory): Promise<string> {
  const options = { listen: '127.0.0.1:0', door: { token: TOKEN } };
  const http = await serveHttp(await bridgeTo(server), options, factory);
  const proxy = await withHeaders(http.url, { authorization: `Bearer ${TOKEN}` });
  closings.push(proxy.close, http.close);
  return proxy.url;
}

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  for (const close of closings) await close();
  await server[Symbol.asyncDispose]();
});

describe('the official conformance suite, with its fixtures behind the door of the bridge', () => {
  it.each([
    ['2025-11-25', 25],
    ['2026-07-28', 37],
  ])(
    'passes all that %s requires of a server without sessions',
    async (revision, count) => {
      const url = await doorTo(createFixtureServer);
      const run = await runSuite(url, revision, { expectedFailures: expectedOf(revision) });
      expect(run.exitCode, run.output).toBe(0);
      const scored = passedScenarios(run).filter((name) => !UNSCORED.has(name));
      expect(scored.length, run.output).toBe(count);
    },
    180_000,
  );
});

describe('the scenarios of the tasks extension, on its code here', () => {
  let run: SuiteRun;
  beforeAll(async () => {
    run = await runSuite(await doorTo(taskFixtures(createTaskStore())), '2026-07-28');
  });

  it.each(OF_TASKS)('%s', (name) => {
    expect(complaintsOf(run, name)).toEqual([]);
  });
});

describe('the official conformance suite on the bridge itself', () => {
  const runs = new Map<string, SuiteRun>();
  beforeAll(async () => {
    const url = await doorTo();
    for (const revision of Object.keys(OF_ANY_SERVER)) {
      runs.set(revision, await runSuite(url, revision));
    }
  });

  const scenarios = Object.entries(OF_ANY_SERVER).flatMap(([revision, names]) =>
    names.map((name) => [name, revision] as const),
  );
  it.each(scenarios)('%s of %s', (name, revision) => {
    const run = runs.get(revision);
    expect(run && complaintsOf(run, name)).toEqual([]);
  });
});
