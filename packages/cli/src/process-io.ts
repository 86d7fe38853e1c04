import { homedir } from 'node:os';
import { EXIT } from './exit-codes.ts';
import type { Io, OutputStream, SignalName } from './io.ts';

/** The world as the operating system gives it. */
export function processIo(): Io {
  endWithReader(process.stdout);
  endWithReader(process.stderr);
  return {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onStop(stop) {
      let asked = false;
      const onSignal = (signal: SignalName) => {
        if (asked) process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
        asked = true;
        stop(signal);
      };
      process.on('SIGINT', onSignal);
      process.on('SIGTERM', onSignal);
    },
  };
}

/** `changgu jobs list | head -1`: a reader that has read enough is no error. */
function endWithReader(stream: OutputStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
}
