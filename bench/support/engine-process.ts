import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs } from './children.ts';

const WORKER = fileURLToPath(new URL('./engine-worker.ts', import.meta.url));

/** Any 32 bytes; all processes of one bench share them. */
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

/** Runs a script in its own process, from source, no longer than this one; resolves once it has printed a line. */
export async function startScript(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  // A setting of the benches only, which a server would refuse.
  const { CHANGGU_BENCH_POSTGRES_URL: _, ...ours } = process.env;
  const child = spawn(process.execPath, ['--conditions=@changgu/source', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...ours, ...env },
  });
  endWithUs(child);
  await Promise.race([once(child.stdout ?? child, 'data'), diesEarly(child)]);
  return child;
}

/** A worker process on the database of `env`. */
export function startEngineWorker(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  return startScript(WORKER, { CHANGGU_MASTER_KEY: MASTER_KEY, ...env });
}

async function diesEarly(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`a process ended with ${code} before it was ready`);
}
