import { exec } from 'node:child_process';
import { MasterKeyError } from './master-key.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 4_096;

/**
 * Runs the operator's command, such as a key service's client, and returns its output.
 * @throws MasterKeyError that quotes none of the output, because it may contain the key
 */
export async function runKeyCommand(command: string, timeoutMs = TIMEOUT_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
    } as const;
    const child = exec(command, options, (failure, stdout) => {
      if (failure === null) return resolve(stdout);
      const reason = failure.killed
        ? `did not end within ${timeoutMs / 1_000} s`
        : `failed with ${failure.code ?? failure.signal}`;
      reject(new MasterKeyError(`CHANGGU_MASTER_KEY_COMMAND ${reason}; run it by hand to see why`));
    });
    // Nothing is there to answer prompts.
    child.stdin?.end();
  });
}
