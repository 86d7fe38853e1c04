import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Clock, Fetch } from '@changgu/sdk';
import type { InputStream, Io, OutputStream, SignalName } from '../../src/io.ts';
import { runCli } from '../../src/run-cli.ts';

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What comes in; default: nothing, closed. */
  readonly stdin?: string;
  /** What a person types at a question, one key at each time that the question is drawn anew. */
  readonly keys?: readonly string[];
  /** Which streams are a terminal; default: none. */
  readonly tty?: {
    readonly stdin?: true;
    readonly stdout?: true;
    readonly stderr?: true;
    readonly columns?: number;
  };
  /** Nothing can be written to stdout: the disk is full. */
  readonly isDiskFull?: true;
  readonly cwd?: string;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** Which processes live; default: none but this one's own runs. */
  readonly isAlive?: (pid: number) => boolean;
  readonly loadKeychain?: Io['loadKeychain'];
  readonly openBrowser?: Io['openBrowser'];
  /** Told before each request; gives the way to send a signal. */
  readonly onRequest?: (signal: (name: SignalName) => void) => void;
  /** Told at each write; gives the way to send a signal. */
  readonly onStdout?: (text: string, signal: (name: SignalName) => void) => void;
  readonly onStderr?: (text: string, signal: (name: SignalName) => void) => void;
  /** Given the way to send a signal, once the program can receive it. */
  readonly onSignal?: (signal: (name: SignalName) => void) => void;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they were written. */
  readonly screen: string;
}

/** A fresh home directory without a keychain, deleted at the end. */
export interface TestHome {
  readonly dir: string;
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function testHome(env: Readonly<Record<string, string>> = {}): Promise<TestHome> {
  const dir = await mkdtemp(join(tmpdir(), 'changgu-cli-'));
  return {
    dir,
    run: (argv, options = {}) => run(argv, dir, { ...options, env: { ...env, ...options.env } }),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

async function run(argv: readonly string[], dir: string, options: RunOptions): Promise<Ran> {
  const { tty = {}, onStdout, onStderr, onRequest, fetch } = options;
  let stop: (signal: SignalName) => void = () => {};
  const keyboard = options.keys ? keyboardOf(options.keys) : null;
  const stdin: InputStream =
    keyboard?.stdin ??
    (options.stdin === undefined ? Readable.from([]) : Readable.from([Buffer.from(options.stdin)]));
  if (tty.stdin || keyboard) stdin.isTTY = true;
  const screen: string[] = [];
  const collected = collector(tty.stdout, tty.columns, (text) => {
    screen.push(text);
    onStdout?.(text, (name) => stop(name));
  });
  const stdout = options.isDiskFull ? fullDisk(tty.stdout) : collected;
  const stderr = collector(tty.stderr, tty.columns, (text) => {
    screen.push(text);
    onStderr?.(text, (name) => stop(name));
    keyboard?.press();
  });
  const code = await runCli(argv, {
    env: { CHANGGU_CREDENTIAL_STORE: 'file', ...options.env },
    cwd: options.cwd ?? dir,
    home: dir,
    platform: 'linux',
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    isAlive: options.isAlive ?? (() => false),
    onStop(handler) {
      stop = handler;
      options.onSignal?.(handler);
    },
    ...(fetch
      ? {
          fetch: (...request: Parameters<Fetch>) => {
            onRequest?.((name) => stop(name));
            return fetch(...request);
          },
        }
      : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.loadKeychain ? { loadKeychain: options.loadKeychain } : {}),
    ...(options.openBrowser ? { openBrowser: options.openBrowser } : {}),
  });
  return { code, stdout: stdout.text(), stderr: stderr.text(), screen: screen.join('') };
}

function keyboardOf(keys: readonly string[]) {
  const left = [...keys];
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin });
  const press = () => {
    const key = left.shift();
    // After the question is there, which has yet to listen.
    if (key !== undefined) setImmediate(() => stdin.write(key));
  };
  return { stdin, press };
}

function collector(
  isTTY: true | undefined,
  columns: number | undefined,
  seen?: (text: string) => void,
) {
  const chunks: Buffer[] = [];
  const stream: OutputStream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      seen?.(chunk.toString());
      done();
    },
  });
  if (isTTY) stream.isTTY = true;
  if (columns !== undefined) stream.columns = columns;
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

function fullDisk(isTTY: true | undefined) {
  const stream: OutputStream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }));
    },
  });
  // As the process's own streams have one, which would otherwise end it.
  stream.on('error', () => {});
  if (isTTY) stream.isTTY = true;
  return { stream, text: () => '' };
}
