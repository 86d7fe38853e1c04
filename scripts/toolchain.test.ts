import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';

const TOOLCHAIN = join(import.meta.dirname, 'toolchain.mjs');
/** Says when it is up, and exits with a code it chooses when it is told to. */
const PROGRAM = `
  process.on('SIGTERM', () => { console.log('told to end'); process.exit(7); });
  setInterval(() => {}, 1000);
  console.log('up');`;

type Running = ChildProcessByStdio<null, Readable, null>;

async function untilUp(command: string, args: readonly string[]) {
  const child: Running = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TOOLCHAIN, PROGRAM },
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: 'up' });
  return { child, lines };
}

/** A program that is left over would keep the whole run from ending. */
function endGroup({ pid }: Running): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

it('ends its command at SIGTERM, and with its code', async () => {
  const { child } = await untilUp(process.execPath, [TOOLCHAIN, 'node', '-e', PROGRAM]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([7, null]);
});

it('ends its command when the shell around it is ended, as npm does', async () => {
  const { child, lines } = await untilUp('sh', [
    '-c',
    'node "$TOOLCHAIN" node -e "$PROGRAM"; true',
  ]);
  child.kill('SIGTERM');
  expect(await lines.next()).toMatchObject({ value: 'told to end' });
});
