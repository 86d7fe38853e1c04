import { join } from 'node:path';

export function journalFile(dir: string, run: string): string {
  return join(dir, `${run}.jsonl`);
}
