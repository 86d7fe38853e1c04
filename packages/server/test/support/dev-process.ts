import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { serverProgram } from '../../../../scripts/programs.ts';
import type { Demo } from '../../src/dev/demo-file.ts';

export interface DevProcess {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** The line that `dev --json` prints. */
  readonly ready: { readonly base_url: string; readonly demo_file: string };
  readonly demo: Demo;
  /** A call as the demo client in sandbox. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** Sends a signal and answers the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail when it is not there
type Json = any; // oxlint-disable-line typescript/no-explicit-any

/** `changgu-server dev --port 0 --json` as its own process. */
export async function startDevProcess(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<DevProcess> {
  const child = spawn(
    process.execPath,
    [...serverProgram(), 'dev', '--port', '0', '--json', '--data-dir', dataDir],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  const errors: string[] = [];
  child.stderr.on('data', (bytes: Buffer) => errors.push(bytes.toString()));
  const [line]: [Buffer] | [number] = await Promise.race([
    once(child.stdout, 'data') as Promise<[Buffer]>,
    once(child, 'exit') as Promise<[number]>,
  ]);
  if (typeof line === 'number') throw new Error(`dev ended with ${line}: ${errors.join('')}`);
  const ready: DevProcess['ready'] = JSON.parse(line.toString());
  const demo: Demo = JSON.parse(await readFile(ready.demo_file, 'utf8'));
  const { client_id: id, client_secret: secret } = demo.client;

  return {
    process: child,
    ready,
    demo,
    async call(method, path, body) {
      const answer = await fetch(new URL(path, ready.base_url), {
        method,
        headers: {
          authorization: `Basic ${btoa(`${id}:${secret}`)}`,
          'x-env-scope': 'sandbox',
          'idempotency-key': 'key-1',
          prefer: 'wait=20',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async end(signal) {
      const exit = once(child, 'exit');
      child.kill(signal);
      const [code, by]: [number | null, string | null] = await (exit as Promise<
        [number | null, string | null]
      >);
      return code ?? by;
    },
  };
}
