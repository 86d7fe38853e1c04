import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_SCOPE } from './organization-key.ts';

/**
 * Secrets of organizations, kept apart from the database and its backups: without its secret, an organization's
 * data key cannot be unwrapped, not even with the master key.
 */
export interface OrganizationSecrets {
  /** Null when none is stored. */
  read(scope: string): Promise<Uint8Array | null>;
  /** Creates it if necessary; null when this scope has none. */
  ensure(scope: string): Promise<Uint8Array | null>;
  erase(scope: string): Promise<void>;
}

/** The master key alone wraps the data keys. */
export const NO_SECRETS: OrganizationSecrets = {
  read: async () => null,
  ensure: async () => null,
  erase: async () => {},
};

/** One file per organization, in a directory that all processes share. */
export function secretsInDirectory(directory: string): OrganizationSecrets {
  const fileOf = (scope: string) => join(directory, `${scope}.key`);
  const read = async (scope: string) => {
    try {
      return Buffer.from(await readFile(fileOf(scope), 'utf8'), 'hex');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  };
  return {
    read,
    async ensure(scope) {
      if (scope === SYSTEM_SCOPE) return null;
      const existing = await read(scope);
      if (existing !== null) return existing;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await createWhole(fileOf(scope), randomBytes(32).toString('hex'));
      return read(scope);
    },
    async erase(scope) {
      await rm(fileOf(scope), { force: true });
      await sync(directory);
    },
  };
}

/** The file exists with all of its content on disk, or not at all. The first one created stays. */
async function createWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await sync(join(file, '..'));
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
