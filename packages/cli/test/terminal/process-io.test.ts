import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { processIo } from '../../src/process-io.ts';

const NEVER_STOPS = fileURLToPath(new URL('../support/never-stops.ts', import.meta.url));

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the first %s asks, the second ends a run that does not stop', async (signal, code) => {
  const run = spawn(process.execPath, [NEVER_STOPS], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(run, 'exit');
  const said = () => once(run.stdout.setEncoding('utf8'), 'data');
  expect(await said()).toEqual(['running\n']);
  run.kill(signal);
  expect(await said()).toEqual([`asked to stop by ${signal}\n`]);
  expect(run.exitCode).toBeNull();
  run.kill(signal);
  expect(await exit).toEqual([code, null]);
});

it('a terminal that is closed asks, however many signals tell of it; SIGTERM ends it then', async () => {
  const run = spawn(process.execPath, [NEVER_STOPS], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(run, 'exit');
  const said = () => once(run.stdout.setEncoding('utf8'), 'data');
  expect(await said()).toEqual(['running\n']);
  run.kill('SIGHUP');
  expect(await said()).toEqual(['asked to stop by SIGHUP\n']);
  // The shell and the system both send one.
  run.kill('SIGHUP');
  run.kill('SIGUSR2');
  expect(await Promise.race([exit, said()])).toEqual(['still running\n']);
  run.kill('SIGTERM');
  expect(await exit).toEqual([143, null]);
}, 10_000);

it.each([
  ['that of the user, not the working directory', () => '/home/operator', '/home/operator'],
  [
    'none for a user of whom the system knows nothing',
    () => {
      throw new Error('ENOENT');
    },
    '/dev/null',
  ],
])('the home directory where HOME is empty is %s', (_, userHome, expected) => {
  const os = {
    devNull: '/dev/null',
    homedir: () => '',
    userInfo: () => ({ homedir: userHome() }),
  };
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(os);
  try {
    expect(processIo().home).toBe(expected);
  } finally {
    vi.restoreAllMocks();
  }
});
