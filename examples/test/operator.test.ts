import { execFile } from 'node:child_process';
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

it('runs every account, one line of JSON each, and says so on stderr', async () => {
  const { stdout, stderr } = await run('sh', [SCRIPT], {
    env: {
      ...server.environment,
      // Journals and profiles stay in the test's own directory.
      HOME: server.dataDir,
      XDG_CONFIG_HOME: server.dataDir,
      XDG_STATE_HOME: server.dataDir,
      CHANGGU: [process.execPath, ...cliProgram()].join(' '),
    },
  });
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ status: 'SUCCEEDED' });
  expect(stderr).toMatch(/All accounts are done\.\n$/);
}, 60_000);
