import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PreparedSubmission } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { readJsonIfThere, writePrivateFile } from '../../config/private-file.ts';
import { shellWord } from '../../output/shell-word.ts';

/** As long as the service remembers a key. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** A stored submission: ciphertext, never a plain secret. */
export interface Kept {
  readonly submission: PreparedSubmission;
  /** The service has a job of these bytes under this key. */
  readonly isAnswered: boolean;
}

/** The stored submissions of one client: at another service, in another environment, the same key is another one. */
export class PendingSubmissions {
  readonly #cli: Cli;
  readonly #owner: readonly string[];

  private constructor(cli: Cli, owner: readonly string[]) {
    this.#cli = cli;
    this.#owner = owner;
  }

  static async of(cli: Cli): Promise<PendingSubmissions> {
    const { baseUrl, envScope, profile } = await cli.settings();
    const { clientId } = await cli.credentials();
    const service = URL.parse(baseUrl?.value ?? '')?.href ?? '';
    return new PendingSubmissions(cli, [
      service,
      envScope.value,
      clientId === undefined ? `profile ${profile.value}` : `client ${clientId}`,
    ]);
  }

  async read(key: string): Promise<Kept | null> {
    // The SDK checks the submission's type and service.
    return (await readJsonIfThere(this.#fileOf(key))) as Kept | null;
  }

  /** To send again. @throws usage error when there is none with this key */
  async take(key: string): Promise<PreparedSubmission> {
    const kept = await this.read(key);
    if (kept === null) {
      // Perhaps it was sent again already.
      const list = `changgu jobs list --idempotency-key ${shellWord(key)}`;
      throw usageError(this.#cli.texts.jobs.nothingToResend(key), list);
    }
    return kept.submission;
  }

  /** Leaves another request under the same key alone: only the bytes that were sent find its job. */
  async write(kept: Kept): Promise<boolean> {
    const { idempotencyKey: key } = kept.submission;
    const before = await this.read(key);
    if (before !== null && !isSameRequest(before.submission, kept.submission)) return false;
    if (before !== null && isDeepStrictEqual(before, kept)) return true;
    await writePrivateFile(this.#fileOf(key), `${JSON.stringify(kept)}\n`);
    return true;
  }

  /** What is left behind is only sent again by its key, and deleted later. The answer matters more. */
  async forget({ idempotencyKey: key, body }: PreparedSubmission): Promise<void> {
    const kept = await this.read(key).catch(() => null);
    if (kept?.submission.body !== body) return;
    await remove(this.#fileOf(key));
  }

  /** Keys may hold any ASCII character; a file name may not. */
  #fileOf(key: string): string {
    const name = createHash('sha256').update(JSON.stringify([...this.#owner, key]));
    return join(this.#cli.locations.pendingDir, `${name.digest('hex')}.json`);
  }
}

/** Deletes submissions that no key replays any longer. */
export async function prunePending({ locations }: Cli): Promise<void> {
  // Files have the machine's time.
  const before = Date.now() - KEPT_MS;
  const names = await readdir(locations.pendingDir).catch(() => []);
  for (const name of names) {
    const file = join(locations.pendingDir, name);
    // Another process may have deleted it.
    const facts = await stat(file).catch(() => null);
    if (facts && facts.mtimeMs < before) await remove(file);
  }
}

/** Whether two differ at most in their ciphertext. */
export function isSameRequest(one: PreparedSubmission, other: PreparedSubmission): boolean {
  return isDeepStrictEqual(withoutCiphertext(one), withoutCiphertext(other));
}

function withoutCiphertext({ body, ...facts }: PreparedSubmission) {
  const { encrypted_fields: secrets = {}, ...request } = JSON.parse(body);
  return { ...facts, request, secrets: Object.keys(secrets) };
}

async function remove(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => {});
}
