import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Locations } from '../config/locations.ts';
import { makePrivateDir } from '../config/private-file.ts';
import { EXIT } from '../exit-codes.ts';
import { onFile } from '../file-error.ts';
import type { Io } from '../io.ts';
import { waitForLock } from '../locks/process-lock.ts';
import type { Texts } from '../texts/ko.ts';

/** The process before this one makes a few requests. */
const MAX_WAIT_MS = 60_000;

interface LockContext {
  readonly io: Io;
  readonly texts: Texts;
  readonly locations: Pick<Locations, 'secretsDir'>;
  /** Also ends the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `act` while no other process renews, replaces or removes the secret of a profile: what it read before would
 * come back with what it writes. Whoever also changes config.toml takes this lock first.
 * @throws CliError PROFILE_BUSY
 */
export async function holdingProfile<T>(
  { io, texts, locations, signal }: LockContext,
  profile: string,
  act: () => Promise<T>,
): Promise<T> {
  const file = join(locations.secretsDir, `${profile}.lock`);
  const over = AbortSignal.timeout(MAX_WAIT_MS);
  const wait = signal ? AbortSignal.any([signal, over]) : over;
  const lock = await onFile(file, async () => {
    await makePrivateDir(locations.secretsDir);
    return waitForLock(file, io.isAlive, wait);
  }).catch((error: unknown) => {
    if (!over.aborted || signal?.aborted) throw error;
    throw new CliError('PROFILE_BUSY', texts.login.profileBusy(profile), EXIT.busy);
  });
  try {
    return await act();
  } finally {
    await lock.release();
  }
}
