import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serverProgram } from '../../../../scripts/programs.ts';
import { freePort } from '../support/free-port.ts';

/** Linux has a device that is always full. */
const FULL = '/dev/full';

function start(
  args: readonly string[],
  full: 'stdout' | 'stderr',
  env: Readonly<Record<string, string>> = {},
) {
  const disk = openSync(FULL, 'w');
  const of = (stream: typeof full) => (stream === full ? disk : 'pipe');
  const child = spawn(process.execPath, [...serverProgram(), ...args], {
    stdio: ['ignore', of('stdout'), of('stderr')],
    env: { ...process.env, CHANGGU_LOG_LEVEL: 'info', ...env },
  });
  closeSync(disk);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function folder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-full-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

describe.runIf(existsSync(FULL))('on a full disk', { timeout: 60_000 }, () => {
  it.each([[['--version']], [['--help']], [['migrate', '--help']]])(
    '%j says that its output cannot be written: 1',
    async (args) => {
      const child = start(args, 'stdout');
      const exit = once(child, 'exit');
      expect(child.stderr && (await text(child.stderr))).toBe(
        'changgu-server: the output cannot be written: ENOSPC: no space left on device, write\n',
      );
      expect(await exit).toEqual([1, null]);
    },
  );

  it('a dev server whose ready line cannot be written ends', async () => {
    const args = ['dev', '--port', '0', '--json', '--data-dir', await folder()];
    expect(await once(start(args, 'stdout'), 'exit')).toEqual([1, null]);
  });

  it('a dev server whose log cannot be written serves', async () => {
    const args = ['dev', '--port', '0', '--json', '--data-dir', await folder()];
    const child = start(args, 'stderr');
    const [line] = child.stdout ? await once(child.stdout, 'data') : [];
    const { base_url: url } = JSON.parse(String(line));
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it('a server whose log cannot be written serves, and ends when it is asked to', async () => {
    const dataDir = await folder();
    const port = await freePort();
    const child = start(['serve'], 'stdout', {
      CHANGGU_DATA_DIR: dataDir,
      CHANGGU_LISTEN: `127.0.0.1:${port}`,
      CHANGGU_PUBLIC_BASE_URL: 'https://jobs.example.com',
      CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    const exit = once(child, 'exit');
    const isServing = async () =>
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await Promise.race([vi.waitFor(isServing, { timeout: 50_000, interval: 200 }), exit]);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});
