/** A disk that is full, and a reader that is gone: a clear message, and an exit code that says so. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliProgram } from '../../../../scripts/programs.ts';
import { type TestHome, testHome } from '../support/run.ts';
import { startService } from '../support/service.ts';

/** Linux has a device that is always full. */
const FULL = '/dev/full';

let home: TestHome;
beforeAll(async () => {
  home = await testHome();
});
afterAll(() => home[Symbol.asyncDispose]());

interface Streams {
  readonly stdout?: 'full' | 'closed';
  readonly stderr?: 'full' | 'closed';
}

/** Runs the program with streams that refuse what is written. */
async function run(
  argv: readonly string[],
  { stdout, stderr }: Streams,
  env: Readonly<Record<string, string>> = {},
) {
  const full = openSync(FULL, 'w');
  const of = (stream: Streams['stdout']) => (stream === 'full' ? full : 'pipe');
  const child = spawn(process.execPath, [...cliProgram(), ...argv], {
    stdio: ['ignore', of(stdout), of(stderr)],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home.dir,
      CHANGGU_CREDENTIAL_STORE: 'file',
      LANG: 'en_US.UTF-8',
      ...env,
    },
  });
  closeSync(full);
  const exit = once(child, 'exit');
  if (stdout === 'closed') child.stdout?.destroy();
  if (stderr === 'closed') child.stderr?.destroy();
  const said = stderr === undefined && child.stderr ? await text(child.stderr) : '';
  const [code] = await exit;
  return { code, said };
}

const MESSAGE = "Error: Can't write the output (no space left).\n";

describe.runIf(existsSync(FULL))('on a full disk', { timeout: 60_000 }, () => {
  it.each([
    [['--version']],
    [['help']],
    [[]],
    [['jobs', 'list', '--help']],
    [['completion', 'bash']],
    [['complete', '--', 'jobs', '']],
    [['actions', 'list']],
    [['actions', 'list', '-o', 'csv']],
    [['config', 'path']],
  ])('%j says that its output could not be written: 1', async (argv) => {
    const { code, said } = await run(argv, { stdout: 'full' });
    expect(said.replace(/^\{.*OUTPUT_FAILED.*"system_code":"ENOSPC".*\}\n$/, MESSAGE)).toBe(
      MESSAGE,
    );
    expect(code).toBe(1);
  });

  it('says so as JSON where JSON was asked for', async () => {
    const { code, said } = await run(['actions', 'list', '--json'], { stdout: 'full' });
    expect(code).toBe(1);
    expect(JSON.parse(said).error).toMatchObject({
      code: 'OUTPUT_FAILED',
      exit_code: 1,
      system_code: 'ENOSPC',
    });
  });

  it.each([
    ['full', ['jobs', 'list'], 2],
    ['closed', ['jobs', 'list'], 2],
    ['full', ['jobs'], 2],
    ['full', ['config', 'path'], 0],
    ['closed', ['whoami', '--base-url', 'http://127.0.0.1:1'], 4],
  ] as const)(
    'messages to a %s stderr are lost, and %j ends as it would: %i',
    async (stderr, argv, code) => {
      expect(await run(argv, { stderr })).toMatchObject({ code });
    },
  );

  it.each([
    ['jobs watch', (job: string) => ['jobs', 'watch', job, '-o', 'ndjson']],
    [
      'webhooks listen',
      () => ['webhooks', 'listen', '--forward', 'http://127.0.0.1:1/hook', '--json'],
    ],
  ])('%s ends when it cannot write, and says so: 1', async (_, argv) => {
    await using service = await startService({ env: { SANDBOX_DELAY_MS: '600000' } });
    const submitted = await service.home.run(['jobs', 'submit', 'bank_a.accounts.list']);
    const { code, said } = await run(
      argv(submitted.stdout.trim()),
      { stdout: 'full' },
      service.env,
    );
    expect(JSON.parse(said).error).toMatchObject({ code: 'OUTPUT_FAILED', system_code: 'ENOSPC' });
    expect(code).toBe(1);
  });

  it('a file that cannot be written leaves no other behind', async () => {
    await using own = await testHome();
    // No file may grow, which fails as on a full disk: once the file is there.
    const limited = ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'sh', process.execPath];
    const argv = [...limited, ...cliProgram(), 'config', 'set', 'base_url', 'http://127.0.0.1:1'];
    const child = spawn('sh', argv, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Node leaves the drafts of its own cache behind.
      env: { PATH: process.env.PATH ?? '', HOME: own.dir, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    const exit = once(child, 'exit');
    expect(await text(child.stderr)).toContain('config.toml');
    expect(await exit).toEqual([1, null]);
    const left = await readdir(own.dir, { recursive: true, withFileTypes: true });
    expect(left.filter((one) => one.isFile()).map(({ name }) => name)).toEqual([]);
  });

  it('neither can be written: still 1, and no end by a signal', async () => {
    const both = { stdout: 'full', stderr: 'full' } as const;
    expect(await run(['actions', 'list'], both)).toMatchObject({ code: 1 });
  });

  it('a reader that left early is no error: 0', async () => {
    for (const argv of [['actions', 'list'], ['help'], ['completion', 'zsh']]) {
      expect(await run(argv, { stdout: 'closed' })).toEqual({ code: 0, said: '' });
    }
  });
});
