import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./receiver-main.ts', import.meta.url));

export interface Taken {
  readonly id: string;
  /** Milliseconds since the event. */
  readonly afterMs: number;
}

/** A receiver that can die, and come back under the same address. */
export interface ReceiverProcess {
  readonly url: string;
  /** Everything that was taken so far, repeats too. */
  taken(): Promise<readonly Taken[]>;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** @param file where it writes down what it takes */
export async function startReceiverProcess(file: string): Promise<ReceiverProcess> {
  await writeFile(file, '');
  let { port, child } = await start(file, '0');
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async taken() {
      // The last line may be half written when the process dies; then its message was not answered.
      const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
      return lines.map((line) => {
        const [id = '', afterMs] = line.split(' ');
        return { id, afterMs: Number(afterMs) };
      });
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    async restart() {
      ({ port, child } = await start(file, port));
    },
  };
}

async function start(file: string, onPort: string) {
  const child = spawn(process.execPath, [MAIN, file, onPort], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, port: String(line).trim() };
}
