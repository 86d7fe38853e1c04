import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { homeOf } from '../support/on-fake-service.ts';
import type { TestHome } from '../support/run.ts';

/** Clears the screen in some terminals, and turns what follows around. */
const HOSTILE = '\u009b2J\u001b[2Jname\u202e\u061c\u007f';
const COMMANDS = /[^\P{Cc}\n\t\r]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const DATA = { [HOSTILE]: HOSTILE, rows: [{ [HOSTILE]: `${HOSTILE}\nnext` }] };

let home: TestHome;
let service: FakeService;
beforeAll(async () => {
  service = new FakeService().route(({ path }) => {
    if (path === '/v1/jobs/job_1/result') {
      const result = { schema: 'own.things.list.v1', data: DATA, artifacts: [] };
      const finished_at = '2026-11-26T09:00:00.000+09:00';
      return { status: 200, body: { job_id: 'job_1', status: 'SUCCEEDED', result, finished_at } };
    }
    if (path !== '/v1/jobs/job_2/result') return null;
    const error = { code: 'JOB_NOT_FOUND', message: HOSTILE, trace_id: HOSTILE, details: {} };
    return { status: 404, body: { error } };
  });
  home = await homeOf(service);
});
afterAll(() => home[Symbol.asyncDispose]());

const run = (...argv: string[]) => home.run(argv, { fetch: service.fetch });

it.each([
  '-o table',
  '-o tsv --header',
  '-o csv',
  '-o csv --bom',
  '-o json',
  '-o ndjson',
  '-o json --jq .',
  '-o ndjson --jq .',
  '-o json --jq ..|strings',
  '-o json --debug',
  '-o table --debug',
])('names and texts of a result command no terminal with %s', async (options) => {
  const { code, screen } = await run('jobs', 'result', 'job_1', ...options.split(' '));
  expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining('name') });
  expect(screen).not.toMatch(COMMANDS);
});

it.each(['-o json', '-o ndjson', '-o json --jq .', '-o ndjson --jq .'])(
  'JSON stays the same data with %s',
  async (options) => {
    const { stdout } = await run('jobs', 'result', 'job_1', ...options.split(' '));
    expect(JSON.parse(stdout).data).toEqual(DATA);
  },
);

it('a text that jq prints alone keeps its lines', async () => {
  const { stdout } = await run('jobs', 'result', 'job_1', '--json', '--jq', '.data.rows[][]');
  expect(stdout).toBe('name\nnext\n');
});

it.each(['-o table', '-o table --debug', '--json', '--json --debug'])(
  'nor do those of an error with %s',
  async (options) => {
    const { code, screen } = await run('jobs', 'result', 'job_2', ...options.split(' '));
    expect({ code, screen }).toEqual({ code: 1, screen: expect.stringContaining('name') });
    expect(screen).not.toMatch(COMMANDS);
  },
);
