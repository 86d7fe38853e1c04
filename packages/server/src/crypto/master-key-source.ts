import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  generateMasterKeyText,
  MasterKeyError,
  type MasterKeySource,
  type MasterKeys,
  parseMasterKeys,
} from './master-key.ts';

const OWNER_ONLY = 0o600;

export interface MasterKeyOptions {
  /** CHANGGU_MASTER_KEY */
  readonly masterKey?: string | undefined;
  /** CHANGGU_MASTER_KEY_FILE */
  readonly masterKeyFile?: string | undefined;
  /** `dev` only: keep a key of its own in this directory when none is given. */
  readonly devDataDir?: string | undefined;
}

/** Where the master key file of a `dev` data directory is. */
export function devMasterKeyFile(dataDir: string): string {
  return join(dataDir, 'master-key');
}

/** @throws MasterKeyError when there is no key, more than one source, or an unreadable one. */
export async function openMasterKeySource(options: MasterKeyOptions): Promise<MasterKeySource> {
  const { masterKey, masterKeyFile, devDataDir } = options;
  if (masterKey !== undefined && masterKeyFile !== undefined) {
    throw new MasterKeyError('set CHANGGU_MASTER_KEY or CHANGGU_MASTER_KEY_FILE, not both');
  }
  if (masterKey !== undefined) return fixedMasterKeys(parseMasterKeys(masterKey));
  if (masterKeyFile !== undefined) return masterKeysFromFile(masterKeyFile);
  if (devDataDir === undefined) {
    throw new MasterKeyError('set CHANGGU_MASTER_KEY or CHANGGU_MASTER_KEY_FILE');
  }
  const file = devMasterKeyFile(devDataDir);
  if (!existsSync(file)) await createKeyFile(file);
  return masterKeysFromFile(file);
}

export function fixedMasterKeys(keys: MasterKeys): MasterKeySource {
  return { keys: () => keys, reload: async () => {} };
}

/**
 * Puts a new key before the one in use. That one stays in the file until the next rotation, so that
 * running servers and keys not yet rewrapped keep opening; older ones go.
 */
export async function rotateMasterKeyFile(file: string): Promise<void> {
  const [current] = (await readKeyFile(file)).split(/[\s,]+/).filter((part) => part !== '');
  const next = temporaryName(file);
  await writeFile(next, `${generateMasterKeyText()}\n${current ?? ''}\n`, newOwnerOnly);
  await rename(next, file);
}

async function masterKeysFromFile(file: string): Promise<MasterKeySource> {
  let keys = parseMasterKeys(await readKeyFile(file));
  return {
    keys: () => keys,
    async reload() {
      keys = parseMasterKeys(await readKeyFile(file));
    },
  };
}

const newOwnerOnly = { mode: OWNER_ONLY, flag: 'wx', flush: true } as const;

/** Creates the file whole or not at all: a second process starting at once reads the first's key. */
async function createKeyFile(file: string): Promise<void> {
  const draft = temporaryName(file);
  await writeFile(draft, `${generateMasterKeyText()}\n`, newOwnerOnly);
  try {
    await link(draft, file);
  } catch (failure) {
    if (!isCode(failure, 'EEXIST')) throw failure;
  } finally {
    await rm(draft);
  }
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (failure) {
    throw new MasterKeyError(`cannot read the master key file ${file}`, { cause: failure });
  }
}

function temporaryName(file: string): string {
  return `${file}.${randomUUID()}`;
}

function isCode(failure: unknown, code: string): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === code;
}
