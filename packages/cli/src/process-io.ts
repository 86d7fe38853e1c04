import { EXIT, exitCodeAfter } from './exit-codes.ts';
import type { Io, OutputStream, SignalName } from './io.ts';

/** The operating system's environment. */
export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    get home() {
      const { devNull, homedir, userInfo } = process.getBuiltinModule('node:os');
      try {
        // With an empty HOME it is empty, and secrets would be put into the directory in which the command runs.
        return homedir() || userInfo().homedir;
      } catch {
        // A container may run as a user of whom the system knows nothing. Settings then come from the environment.
        return devNull;
      }
    },
    // Opening a stream loads a good part of Node, so only those that a run uses are opened.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return heard(process.stdout, endWithReader);
    },
    get stderr() {
      return heard(process.stderr, goOn);
    },
    isAlive(pid) {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        // Another user's process cannot be signaled, but it exists.
        return error instanceof Error && 'code' in error && error.code === 'EPERM';
      }
    },
    onStop(stop) {
      let asked = false;
      const onSignal = (signal: SignalName) => {
        // The shell and the system both tell of a closed terminal.
        if (asked && signal === 'SIGHUP') return;
        if (asked) process.exit(exitCodeAfter(signal));
        asked = true;
        stop(signal);
      };
      process.on('SIGINT', onSignal);
      process.on('SIGTERM', onSignal);
      process.on('SIGHUP', onSignal);
    },
  };
}

type OnError = (error: NodeJS.ErrnoException) => void;

/** Without a listener, Node would end the program with a stack trace. */
function heard(stream: NodeJS.WriteStream, onError: OnError): OutputStream {
  if (stream.listenerCount('error', onError) === 0) stream.on('error', onError);
  return stream;
}

/** `changgu jobs list | head -1`: a reader that stops early is not an error. Any other failure is the writer's. */
function endWithReader({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(EXIT.ok);
}

/** No one reads the messages; the command continues. */
function goOn(): void {}
