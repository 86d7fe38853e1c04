import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  ApiError,
  type JobHandle,
  type PreparedSubmission,
  type RequestOptions,
} from '@changgu/sdk';
import type { Cli, WritingCli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { readJsonIfThere, writePrivateFile } from '../../config/private-file.ts';
import { shellWord } from '../../output/shell-word.ts';
import { PossiblyAccepted } from '../../possibly-accepted.ts';
import { Unfinished } from '../../unfinished.ts';

/** As long as the service remembers a key. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * Sends a submission, and stores it when the answer was lost: the job may exist, and only the same bytes under the
 * same key find it again. Contains ciphertext, never a plain secret.
 * @param keep also after the answer: encrypting again gives other bytes, so only these replay under the caller's key
 */
export async function keepUntilAnswered(
  cli: WritingCli,
  prepared: PreparedSubmission,
  keep: boolean,
  send: (call: RequestOptions) => Promise<JobHandle>,
): Promise<JobHandle> {
  const { idempotencyKey: key } = prepared;
  const file = pendingFile(cli, key);
  const write = () => writePrivateFile(file, `${JSON.stringify(prepared)}\n`);
  if (keep && !cli.gate.dryRun) await write();
  const accepted = new PossiblyAccepted();
  let job: JobHandle;
  try {
    job = await send({ ...cli.call, middleware: [accepted.middleware] });
  } catch (error) {
    if (cli.gate.held) throw error;
    if (error instanceof ApiError && !accepted.has(error.idempotencyKey ?? key)) {
      if (!error.retryable) await forget(file);
      throw error;
    }
    // Without room for it, the key is all that finds the job.
    const isStored = await write().then(
      () => true,
      () => false,
    );
    const { answerLost, answerLostUnstored } = cli.texts.jobs;
    throw new Unfinished(error, {
      facts: { idempotency_key: key },
      notice: isStored ? answerLost : answerLostUnstored,
      commands: [
        isStored
          ? `changgu jobs submit --resend ${shellWord(key)}`
          : `changgu jobs list --idempotency-key ${shellWord(key)}`,
      ],
    });
  }
  if (!keep) await forget(file);
  return job;
}

/** What is left behind is only sent again by its key, and deleted later. The answer matters more. */
async function forget(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => {});
}

/** A stored submission. @throws usage error when there is none with this key */
export async function takePending(cli: Cli, key: string): Promise<PreparedSubmission> {
  const kept = await readPending(cli, key);
  if (kept === null) throw usageError(cli.texts.jobs.nothingToResend(key));
  return kept;
}

/** The earlier submission under the same key, if it differs only in its ciphertext: sent again, it is replayed. */
export async function keptOrNew(
  cli: Cli,
  prepared: PreparedSubmission,
): Promise<PreparedSubmission> {
  const kept = await readPending(cli, prepared.idempotencyKey);
  return kept && isDeepStrictEqual(withoutCiphertext(kept), withoutCiphertext(prepared))
    ? kept
    : prepared;
}

/** Deletes submissions that no key replays any longer. */
export async function prunePending({ locations }: Cli, now: number): Promise<void> {
  const names = await readdir(locations.pendingDir).catch(() => []);
  for (const name of names) {
    const file = join(locations.pendingDir, name);
    // Another process may have deleted it.
    const facts = await stat(file).catch(() => null);
    if (facts && facts.mtimeMs < now - KEPT_MS) await forget(file);
  }
}

async function readPending(cli: Cli, key: string): Promise<PreparedSubmission | null> {
  // The SDK checks its type and service.
  return (await readJsonIfThere(pendingFile(cli, key))) as PreparedSubmission | null;
}

function withoutCiphertext({ body, ...facts }: PreparedSubmission) {
  const { encrypted_fields: secrets = {}, ...request } = JSON.parse(body);
  return { ...facts, request, secrets: Object.keys(secrets) };
}

/** Keys may hold any ASCII character; a file name may not. */
function pendingFile({ locations }: Cli, key: string): string {
  return join(locations.pendingDir, `${encodeURIComponent(key)}.json`);
}
