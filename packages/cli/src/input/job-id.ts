import type { Cli } from '../cli.ts';
import { usageError } from '../cli-error.ts';

/** @throws usage error for what is not an id */
export function checkJobId({ texts }: Cli, id: string): void {
  if (!/^job_\w+$/.test(id)) throw usageError(texts.jobs.noJobId(id), 'changgu jobs list');
}
