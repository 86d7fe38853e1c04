import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', 'sdk');
const SERVER = join(import.meta.dirname, '..', '..', 'packages', 'server', 'src', 'main.ts');
const run = promisify(execFile);

/** What each example must print. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'all-accounts.ts': /^(\d+\*+\d+: bank_c\.[\w.]+v\d+\n)+last checkpoint: \d+ characters\n$/,
  'console-and-keys.ts':
    /new key cli_\w+\nplan .+ requests left in this minute\nthe key is REVOKED\n$/,
  'download-file.ts': /^\S+\.xlsx: \d+ bytes\n$/,
  'errors.ts':
    /^job ended FAILED: PROVIDER_MAINTENANCE\n.* true, key was .+\nNotFoundError JOB_NOT_FOUND, trace trc_/,
  'events-and-abort.ts': /SUCCEEDED 100\nAbortError\n$/,
  'middleware-and-logs.ts': /^submitJob 1 202 \d+ ms\n/,
  'prepare-then-send.ts': /^true true\n$/,
  'resume.ts': /^job_\w+ finished at .+\+09:00\n$/,
  'submit-and-wait.ts': /^submitted job_\w+\n[\s\S]*echo \{[\s\S]*direction: 'in'/,
  'test-with-the-fake.ts': /^one job, no waiting\n$/,
};

let dataDir = '';
let environment: Record<string, string | undefined> = {};
let stop = async () => {};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'changgu-examples-'));
  const args = ['--conditions=@changgu/source', SERVER, 'dev', '--port', '0', '--json'];
  const server = spawn(process.execPath, [...args, '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stop = async () => {
    const exit = once(server, 'exit');
    server.kill();
    await exit;
  };
  const [line]: [Buffer] = (await once(server.stdout, 'data')) as [Buffer];
  const demo = JSON.parse(await readFile(JSON.parse(line.toString()).demo_file, 'utf8'));
  environment = {
    ...process.env,
    CHANGGU_BASE_URL: demo.base_url,
    CHANGGU_CLIENT_ID: demo.client.client_id,
    CHANGGU_CLIENT_SECRET: demo.client.client_secret,
    CHANGGU_ENV_SCOPE: 'sandbox',
    EXAMPLE_EMAIL: demo.console.email,
    EXAMPLE_PASSWORD: demo.console.password,
  };
});
afterAll(async () => {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the examples of the SDK', () => {
  it('are all run here', async () => {
    expect((await readdir(FOLDER)).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(Object.entries(EXPECTED))('%s does what it says', async (name, expected) => {
    const args = ['--conditions=@changgu/source', join(FOLDER, name)];
    const { stdout } = await run(process.execPath, args, { env: environment });
    expect(stdout).toMatch(expected);
  });
});
