/** A disk that is full: a message without a stack trace where something was asked for, and a bridge that keeps running. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridgeProgram } from '../../../scripts/programs.ts';
import { FakeSetting } from './support/fake-bridge.ts';

/** Linux has a device that is always full. */
const FULL = '/dev/full';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'changgu-mcp-'));
});
afterAll(() => rm(home, { recursive: true }));

function start(args: readonly string[], full: 'stdout' | 'stderr') {
  const disk = openSync(FULL, 'w');
  const of = (stream: typeof full) => (stream === full ? disk : 'pipe');
  const child = spawn(process.execPath, [...bridgeProgram(), ...args], {
    stdio: ['pipe', of('stdout'), of('stderr')],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      // Nothing listens there, of which the log tells.
      CHANGGU_BASE_URL: 'http://127.0.0.1:1',
      CHANGGU_CLIENT_ID: 'cli_1',
      CHANGGU_CLIENT_SECRET: 'secret',
    },
  });
  closeSync(disk);
  return child;
}

describe.runIf(existsSync(FULL))('on a full disk', { timeout: 60_000 }, () => {
  it.each([[['--version']], [['--help']], [['install', 'claude-code']]])(
    '%j says so, without a stack trace: 1',
    async (args) => {
      const child = start(args, 'stdout');
      const exit = once(child, 'exit');
      const said = child.stderr ? await text(child.stderr) : '';
      expect(said).toBe('Error: ENOSPC: no space left on device, write\n');
      expect(await exit).toEqual([1, null]);
    },
  );

  it('install leaves the file of a host as it was, and no other behind', async () => {
    const before = '{"mcpServers":{}}';
    const folder = await mkdtemp(join(home, 'cursor-'));
    const file = join(folder, '.cursor', 'mcp.json');
    await mkdir(dirname(file));
    await writeFile(file, before);
    // No file may grow, which fails as on a full disk: once the file is there.
    const limited = ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'sh', process.execPath];
    const argv = [...limited, ...bridgeProgram(), 'install', 'cursor', '--yes'];
    const child = spawn('sh', argv, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    });
    const exit = once(child, 'exit');
    expect(await text(child.stderr)).toContain('EFBIG');
    expect(await exit).toEqual([1, null]);
    expect(await readdir(dirname(file))).toEqual(['mcp.json']);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('a wrong option still ends with 2, though the reason cannot be written', async () => {
    expect(await once(start(['--bogus'], 'stderr'), 'exit')).toEqual([2, null]);
  });

  it('a bridge whose log cannot be written answers its host', async () => {
    const child = start([], 'stderr');
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    const [answer] = child.stdout ? await once(child.stdout.setEncoding('utf8'), 'data') : [''];
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    child.stdin?.end();
    child.kill();
    await once(child, 'exit');
  });
});

it('a result whose files cannot be saved is shown, and says why', async () => {
  const setting = new FakeSetting();
  const action = 'bank_c.accounts.transaction_history.search';
  const files = [{ name: 'a.pdf', bytes: new TextEncoder().encode('file') }];
  setting.service.willEnd(action, { state: 'SUCCEEDED', files });
  const host = await setting.host({ 'files-dir': join(home, 'file', 'changgu') });
  await writeFile(join(home, 'file'), '');
  const call = host.call('bank_c_transactions', { wait_seconds: 20 });
  const { answer } = await setting.timed(call);
  expect(answer).toMatchObject({ status: 'SUCCEEDED', files: [{ name: 'a.pdf' }] });
  expect(answer.warnings).toContainEqual(expect.stringContaining('could not be saved (ENOTDIR)'));
});
