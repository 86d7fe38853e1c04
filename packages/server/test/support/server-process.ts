import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './start-server.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
}

/** `changgu-server serve` as a process of its own, on the database and under the address of a test server. */
export async function startServerProcess(
  server: Pick<TestServer, 'url' | 'dataDir'>,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--conditions=@changgu/source', MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CHANGGU_LISTEN: '127.0.0.1:0',
      CHANGGU_PUBLIC_BASE_URL: server.url,
      CHANGGU_DATA_DIR: server.dataDir,
      CHANGGU_MASTER_KEY_FILE: join(server.dataDir, 'master-key'),
      ...env,
    },
  });
  const url = await readyUrl(child);
  return {
    url,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  let log = '';
  for await (const piece of child.stdout ?? []) {
    log += String(piece);
    const ready = log.split('\n').find((line) => line.includes('"ready"') && line.endsWith('}'));
    if (ready === undefined) continue;
    // Left flowing: a full pipe would stop the process.
    child.stdout?.resume();
    const { url }: { url: string } = JSON.parse(ready);
    return url;
  }
  throw new Error(`the server ended: ${log}`);
}
