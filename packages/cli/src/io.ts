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

export type SignalName = 'SIGINT' | 'SIGTERM';

/** The environment of one run. Nothing else in the program uses `process`, so a test can replace it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Calls back at the first signal to stop. The second one ends the process. */
  readonly onStop: (stop: (signal: SignalName) => void) => void;
  /** Whether a process with this number exists. */
  readonly isAlive: (pid: number) => boolean;
  /** Replace network, time, keychain and browser in tests. */
  readonly fetch?: Fetch;
  readonly loadKeychain?: () => Promise<Keychain>;
  readonly clock?: Clock;
  readonly openBrowser?: (address: string) => Promise<void>;
}

/** Writes and waits until the stream has accepted it: a slow reader slows us down instead of filling the memory. */
export function write(stream: OutputStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
