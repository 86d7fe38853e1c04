import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
const DAY_MS = 86_400_000;
// It has ended, in every time zone. Named, so that the test may run when a month ends.
const MONTH = new Date(Date.now() - 40 * DAY_MS).toISOString().slice(0, 7);

/** One run of the script; every one has a home of its own, as on another machine after a crash. */
async function runMonthEnd(home: string) {
  const folder = join(server.dataDir, home);
  await mkdir(folder, { recursive: true });
  return run('sh', [SCRIPT, ACTION, MONTH], {
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

const digits = (date: string) => date.replaceAll('-', '');

const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));

interface Line {
  readonly job_id: string;
}

const jobsOf = (stdout: string) =>
  linesOf(stdout)
    .map(({ job_id: id }) => id)
    .toSorted();

it('runs every account for the whole month, one line of JSON each, and says so on stderr', async () => {
  const { stdout, stderr } = await runMonthEnd('first');
  const [year = 0, month = 0] = MONTH.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const data = { from_date: digits(`${MONTH}-01`), to_date: digits(lastDay) };
  const lines = linesOf(stdout);
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).toMatchObject({ status: 'SUCCEEDED', result: { data } });
  }
  expect(stderr).toMatch(/All accounts are done\.\n$/);
}, 60_000);

it('submits no account twice when it runs again (R80)', async () => {
  const first = await runMonthEnd('one');
  const again = await runMonthEnd('another');
  expect(jobsOf(again.stdout)).toEqual(jobsOf(first.stdout));
  expect(new Set(jobsOf(first.stdout)).size).toBe(4);
}, 60_000);

/** The script with a program in the place of the command. */
async function runWith(changgu: string, ...args: readonly string[]) {
  const env = { ...process.env, CHANGGU: changgu };
  return run('sh', [SCRIPT, ...args], { env }).catch((error: unknown) => error);
}

describe('the period of the script', () => {
  it.each([
    ['2024-02', '20240201', '20240229'],
    ['2026-02', '20260201', '20260228'],
    ['2100-02', '21000201', '21000228'],
    ['2026-09', '20260901', '20260930'],
    ['2026-12', '20261201', '20261231'],
  ])('of %s is from %s to %s', async (month, from, to) => {
    expect(await runWith('echo', '', month)).toMatchObject({
      stdout: expect.stringContaining(`--param from_date=${from} --param to_date=${to} `),
    });
  });

  it('is the previous month unless named', async () => {
    // Both ends of the call, because a month may end meanwhile.
    const before = previousMonth();
    const { stdout } = Object(await runWith('echo'));
    const [, month] = /from_date=(\d{6})01 /.exec(stdout) ?? [];
    expect([before, previousMonth()]).toContain(month);
  });

  it.each(['2026-13', '2026-00', '2026-1', '26-10', 'October'])('is not "%s"', async (month) => {
    expect(await runWith('echo', ACTION, month)).toMatchObject({ code: 2, stdout: '' });
  });
});

/** In Korea, as YYYYMM. */
function previousMonth(): string {
  const now = new Date(Date.now() + 9 * 3_600_000);
  return digits(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)).toISOString()).slice(
    0,
    6,
  );
}

it('says what to set where there is no such command', async () => {
  expect(await runWith('no-such-command')).toMatchObject({
    code: 127,
    stderr: expect.stringContaining('set CHANGGU=./changgu.'),
  });
});

it('names the run whose failed accounts can be tried again, not a later one of another bank', async () => {
  const changgu = join(server.dataDir, 'stub');
  await writeFile(
    changgu,
    `#!/bin/sh
if [ "$1" = all-accounts ]; then exit 6; fi
printf 'run-2\\tbank_a.accounts.transaction_history.search\\nrun-1\\t${ACTION}\\n'`,
  );
  await chmod(changgu, 0o700);
  expect(await runWith(changgu, ACTION, MONTH)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(`${changgu} all-accounts resume run-1 --retry-failed`),
  });
});
