import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, type JobHandle, type PreparedSubmission } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { readIfThere, writePrivateFile } from '../../config/private-file.ts';

/**
 * Sends a submission, and keeps it when the answer was lost: the job may exist, and only the same bytes under the
 * same key find it again. What is kept holds ciphertext, never a plain secret.
 */
export async function keepUntilAnswered(
  cli: Cli,
  prepared: PreparedSubmission,
  send: () => Promise<JobHandle>,
): Promise<JobHandle> {
  const file = pendingFile(cli, prepared.idempotencyKey);
  try {
    const job = await send();
    await rm(file, { force: true });
    return job;
  } catch (error) {
    if (error instanceof ApiError) {
      await rm(file, { force: true });
      throw error;
    }
    await writePrivateFile(file, `${JSON.stringify(prepared)}\n`);
    const command = `changgu jobs submit --resend ${prepared.idempotencyKey}`;
    await cli.notes.warn(cli.texts.jobs.resend(command));
    throw error;
  }
}

/** A kept submission. @throws usage error when there is none of this key */
export async function takePending(cli: Cli, key: string): Promise<PreparedSubmission> {
  const file = pendingFile(cli, key);
  const text = await readIfThere(file);
  if (text === null) throw usageError(cli.texts.input.unreadable(file));
  // The SDK checks what it is, and for which service.
  return JSON.parse(text) as PreparedSubmission;
}

/** Keys may hold any ASCII character; a file name may not. */
function pendingFile({ locations }: Cli, key: string): string {
  return join(locations.pendingDir, `${encodeURIComponent(key)}.json`);
}
