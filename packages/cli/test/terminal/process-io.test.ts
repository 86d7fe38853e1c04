import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

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
