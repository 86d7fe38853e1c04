import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { end, endWithUs } from './children.ts';
import type { ProcessSample } from './loop-delay.ts';

const SOURCE = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));
const LOOP_DELAY = new URL('./loop-delay.ts', import.meta.url).href;

export interface MeasuredServer {
  readonly url: string;
  readonly authorization: string;
  readonly pid: number;
  /** Empty when it keeps no data. */
  readonly dataDir: string;
  /** Milliseconds from spawning to the ready line. */
  readonly startMs: number;
  sample(): Promise<ProcessSample>;
  close(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, null>;

/** The lines that a child prints, one at a time. */
function lines(child: Child): () => Promise<string> {
  const iterator = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await iterator.next();
    if (done) throw new Error('the server ended');
    return value;
  };
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Child {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CHANGGU_LOG_LEVEL: 'silent', ...env },
  });
  endWithUs(child);
  return child;
}

/** From source, with its event loop measured. */
const MEASURED = ['--conditions=@changgu/source', '--import', LOOP_DELAY];

function handle(
  child: Child,
  next: () => Promise<string>,
): Pick<MeasuredServer, 'sample' | 'close' | 'pid'> {
  return {
    pid: child.pid ?? 0,
    async sample() {
      child.kill('SIGUSR2');
      return JSON.parse(await next());
    },
    close: () => end(child, 'SIGTERM'),
  };
}

export interface ChangguOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** Node's arguments for a build or other sources, started unchanged, without measuring its event loop. */
  readonly program?: readonly string[];
}

/** `changgu-server dev` as its own process, from source unless given another program. */
export async function startChanggu(options: ChangguOptions = {}): Promise<MeasuredServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'changgu-bench-')));
  const started = performance.now();
  const program = options.program ?? [...MEASURED, SOURCE];
  const args = [...program, 'dev', '--port', '0', '--json', '--data-dir', dataDir];
  const child = run(args, { CHANGGU_RATE_LIMIT: '900000000/60', ...options.env });
  const next = lines(child);
  const ready: { base_url: string; demo_file: string } = JSON.parse(await next());
  const startMs = performance.now() - started;
  const { client } = JSON.parse(await readFile(ready.demo_file, 'utf8'));
  const server = handle(child, next);
  return {
    ...server,
    url: ready.base_url,
    authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`,
    startMs,
    dataDir,
    async close() {
      await server.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Fastify with the same schemas and either nothing or a hand-written PostgreSQL submission behind them. */
export async function startBare(postgresUrl?: string): Promise<MeasuredServer> {
  const started = performance.now();
  const bare =
    postgresUrl === undefined
      ? new URL('./bare-fastify.ts', import.meta.url)
      : new URL('./bare-postgres.ts', import.meta.url);
  const child = run([...MEASURED, fileURLToPath(bare)], { BARE_POSTGRES_URL: postgresUrl ?? '' });
  const next = lines(child);
  const url = await next();
  const startMs = performance.now() - started;
  return { ...handle(child, next), url, authorization: '', dataDir: '', startMs };
}
