import { join } from 'node:path';

export function journalFile(dir: string, run: string): string {
  return join(dir, `${run}.jsonl`);
}

/** Held by the process that works on the run. */
export function runLockFile(dir: string, run: string): string {
  return join(dir, `${run}.lock`);
}
