import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RealTestServer } from './real-test-server.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface WorkerProcess {
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
}

/** `changgu-server serve` with the role of a worker, on the database and portals of a test server. */
export async function startWorkerProcess({
  server,
  simulators,
}: Pick<RealTestServer, 'server' | 'simulators'>): Promise<WorkerProcess> {
  const urls = Object.entries(simulators.urls).map(([provider, url]) => [
    `CHANGGU_REAL_TEST_URL_${provider.toUpperCase()}`,
    url,
  ]);
  const child = spawn(process.execPath, ['--conditions=@changgu/source', MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...Object.fromEntries(urls),
      CHANGGU_ROLE: 'worker',
      CHANGGU_LISTEN: '127.0.0.1:0',
      CHANGGU_PUBLIC_BASE_URL: server.url,
      CHANGGU_DATA_DIR: server.dataDir,
      CHANGGU_MASTER_KEY_FILE: join(server.dataDir, 'master-key'),
      CHANGGU_LEASE_SECONDS: '6',
    },
  });
  await ready(child);
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let log = '';
  for await (const piece of child.stdout ?? []) {
    log += String(piece);
    // Left flowing: a full pipe would stop the process.
    if (log.includes('"ready"')) return void child.stdout?.resume();
  }
  throw new Error(`the worker ended: ${log}`);
}
