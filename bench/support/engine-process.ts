import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from '../../scripts/bundle-programs.ts';
import { endWithUs } from './children.ts';

const WORKER = fileURLToPath(new URL('./engine-worker.ts', import.meta.url));
const SQLITE_THREAD = fileURLToPath(
  new URL('../../packages/server/src/store/backends/sqlite-thread.ts', import.meta.url),
);
let workerBundle: Promise<string> | undefined;

/** Any 32 bytes; all processes of one bench share them. */
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

/** Runs a script, a source or a bundle, in its own process, no longer than this one; resolves once it has printed a line. */
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
export async function startEngineWorker(
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  workerBundle ??= bundleWorker();
  return startScript(await workerBundle, { CHANGGU_MASTER_KEY: MASTER_KEY, ...env });
}

/** Once for all workers that this process starts. */
async function bundleWorker(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'changgu-worker-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // The store looks for its thread beside itself.
  await bundlePrograms({ worker: WORKER, 'sqlite-thread': SQLITE_THREAD }, folder);
  return join(folder, 'worker.js');
}

async function diesEarly(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`a process ended with ${code} before it was ready`);
}
