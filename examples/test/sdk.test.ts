import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { flagsForSdk } from '../../scripts/programs.ts';
import { type DevServer, startDevServer } from './support/dev-server.ts';
import { ROOT } from './support/pages.ts';

const FOLDER = join(ROOT, 'packages', 'sdk', 'examples');
const run = promisify(execFile);

const ACCOUNT = String.raw`\d+\*+\d+: bank_c\.[\w.]+v\d+\n`;

/** What each example must print. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'all-accounts.ts': new RegExp(
    `^(${ACCOUNT})+Starting again .* the accounts that it still names, .*:\n(${ACCOUNT})+$`,
  ),
  'console-and-keys.ts':
    /new key cli_\w+\nplan .+ requests left in this minute\nthe key is REVOKED\n$/,
  'download-file.ts': /^\S+\.xlsx: \d+ bytes\n$/,
  'errors.ts':
    /^job ended FAILED: PROVIDER_MAINTENANCE\n.* true, key was .+\nNotFoundError JOB_NOT_FOUND, trace trc_/,
  'events-and-abort.ts': /SUCCEEDED 100\nAbortError\n$/,
  'middleware-and-logs.ts': /^submitJob 1 202 \d+ ms\n/,
  'prepare-then-send.ts': /^true true\n$/,
  'register-a-card.ts': /^\S+카드 \*{4}1235 is registered\ntrue\n$/,
  'resume.ts': /^job_\w+ finished at .+\+09:00\n$/,
  'submit-and-wait.ts': /^submitted job_\w+\n[\s\S]*echo \{[\s\S]*direction: 'in'/,
  'test-with-the-fake.ts': /^one job, no waiting\n$/,
};

/** Ends the process in the middle of its second write, when the file is empty. */
const CRASH = `
  import { writeFileSync } from 'node:fs';
  import promises from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { writeFile } = promises;
  let writes = 0;
  promises.writeFile = async (file, ...rest) => {
    writes += 1;
    if (writes < 2) return writeFile(file, ...rest);
    writeFileSync(file, '');
    process.exit(9);
  };
  syncBuiltinESMExports();
`;

let server: DevServer;

beforeAll(async () => {
  server = await startDevServer('sandbox');
});
afterAll(() => server.stop());

describe('the examples of the SDK', () => {
  it('are all run here', async () => {
    expect((await readdir(FOLDER)).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(Object.entries(EXPECTED))('%s does what it says', async (name, expected) => {
    const args = [...flagsForSdk(), join(FOLDER, name)];
    const { stdout } = await run(process.execPath, args, { env: server.environment });
    expect(stdout).toMatch(expected);
  });

  it('all-accounts.ts has a whole checkpoint also after a crash while one is written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'changgu-crash-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const crash = `data:text/javascript,${encodeURIComponent(CRASH)}`;
    const args = ['--import', crash, ...flagsForSdk(), join(FOLDER, 'all-accounts.ts')];
    // Where Windows and the others keep temporary files.
    const env = { ...server.environment, TMPDIR: folder, TEMP: folder };
    await expect(run(process.execPath, args, { env })).rejects.toMatchObject({ code: 9 });
    const [own = ''] = await readdir(folder);
    const text = await readFile(join(folder, own, 'checkpoint.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ kind: 'all-accounts' });
  });
});
