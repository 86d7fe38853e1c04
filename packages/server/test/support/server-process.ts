import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { serverProgram } from '../../../../scripts/programs.ts';
import type { TestServer } from './start-server.ts';

export interface ServerProcess {
  readonly url: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to stop. Answers its exit code, null if it had to be killed, and what it logged since it was ready. */
  stop(options: {
    readonly withinMs: number;
  }): Promise<{ readonly code: number | null; readonly log: readonly string[] }>;
}

/** `changgu-server serve` as a process of its own, on the database and under the address of a test server. */
export async function startServerProcess(
  server: Pick<TestServer, 'url' | 'dataDir'>,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...serverProgram(), 'serve'], {
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
  let log = '';
  // Read in any case: a full pipe would stop the process.
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    log += piece;
  });
  return {
    url,
    async stop({ withinMs }) {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
      // An exit code, or null where a signal ended it.
      const [code]: [number | null] = await (closed as Promise<[number | null]>);
      clearTimeout(late);
      return { code, log: log.trimEnd().split('\n') };
    },
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
  // Left open: without a reader, the first line of log would fail.
  for await (const piece of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    log += String(piece);
    const ready = log.split('\n').find((line) => line.includes('"ready"') && line.endsWith('}'));
    if (ready === undefined) continue;
    const { url }: { url: string } = JSON.parse(ready);
    return url;
  }
  throw new Error(`the server ended: ${log}`);
}
