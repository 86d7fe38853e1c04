import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serverProgram } from '../../../../scripts/programs.ts';
import type { TestServer } from './start-server.ts';

/** `changgu-server` with these arguments, as its own process; rejects with its exit code and output. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return promisify(execFile)(process.execPath, [...serverProgram(), ...args], {
    env: { ...process.env, ...env },
    timeout: 30_000,
  });
}

/** What a command of `changgu-server` prints that runs beside the running server, on the same database. */
export async function runBeside(
  server: Pick<TestServer, 'dataDir'>,
  ...args: string[]
): Promise<string> {
  const dataDir = args.includes('--data-dir') ? [] : ['--data-dir', server.dataDir];
  const { stdout } = await startProgram([...args, ...dataDir]);
  return stdout.trim();
}
