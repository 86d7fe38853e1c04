import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cliProgram } from '../../scripts/programs.ts';
import { type DevServer, startDevServer } from './support/dev-server.ts';

const SCRIPT = join(import.meta.dirname, '..', 'operator', 'month-end.sh');
const run = promisify(execFile);
let server: DevServer;

beforeAll(async () => {
  server = await startDevServer('real_test');
});
afterAll(() => server.stop());

const ACTION = 'bank_c.accounts.transaction_history.search';

/** One run of the script; every one has a home of its own, as on another machine after a crash. */
async function runMonthEnd(home: string) {
  const folder = join(server.dataDir, home);
  await mkdir(folder, { recursive: true });
  // The day is named, so that the test may run at midnight.
  return run('sh', [SCRIPT, ACTION, '2026-11-30'], {
    env: {
      ...server.environment,
      // Journals and profiles stay in the test's own directory.
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_STATE_HOME: folder,
      CHANGGU: [process.execPath, ...cliProgram()].join(' '),
    },
  });
}

const jobsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).job_id)
    .toSorted();

it('runs every account, one line of JSON each, and says so on stderr', async () => {
  const { stdout, stderr } = await runMonthEnd('first');
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ status: 'SUCCEEDED' });
  expect(stderr).toMatch(/All accounts are done\.\n$/);
}, 60_000);

it('submits no account twice when it runs again on the same day (R80)', async () => {
  const first = await runMonthEnd('one');
  const again = await runMonthEnd('another');
  expect(jobsOf(again.stdout)).toEqual(jobsOf(first.stdout));
  expect(new Set(jobsOf(first.stdout)).size).toBe(4);
}, 60_000);
