import type { Readable, Writable } from 'node:stream';
import type { Clock, Fetch } from '@changgu/sdk';
import type { Keychain } from './credentials/keyring-store.ts';

export interface InputStream extends Readable {
  isTTY?: boolean;
}

export interface OutputStream extends Writable {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** SIGHUP: the terminal was closed. */
export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The environment of one run. Nothing else in the program uses `process`, so a test can replace it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Calls back at the first signal to stop. The second one ends the process, except SIGHUP. */
  readonly onStop: (stop: (signal: SignalName) => void) => void;
  /** Whether a process with this number exists. */
  readonly isAlive: (pid: number) => boolean;
  /** Replace network, time, keychain and browser in tests. */
  readonly fetch?: Fetch;
  readonly loadKeychain?: () => Promise<Keychain>;
  readonly clock?: Clock;
  readonly openBrowser?: (address: string) => Promise<void>;
}

/** Milliseconds since the epoch. */
export function nowOf({ clock }: Pick<Io, 'clock'>): number {
  return clock?.now() ?? Date.now();
}

/** The data could not be written: the disk is full, or the device is gone. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code: string;
  /** The id of what was to be printed, by its name in JSON. */
  readonly lost: Readonly<Record<string, unknown>>;

  constructor(cause: Error, lost: Readonly<Record<string, unknown>> = {}) {
    super(cause.message, { cause });
    this.code = 'code' in cause ? String(cause.code) : cause.name;
    this.lost = lost;
  }
}

/**
 * Writes and waits until the stream has accepted it: a slow reader slows us down instead of filling the memory.
 * @throws OutputError
 */
export function write(stream: OutputStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(new OutputError(error)) : resolve()));
  });
}

/** Tells people something. What cannot be told is no failure of the command, whose exit code says how it ended. */
export async function tell(stream: OutputStream, text: string): Promise<void> {
  await write(stream, text).catch(() => {});
}

/** @throws OutputError for an earlier write that was not awaited */
export function checkWritten({ errored }: OutputStream): void {
  if (errored) throw new OutputError(errored);
}
