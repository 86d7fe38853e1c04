import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

/** @throws MasterKeyError when the key is missing, unreadable or given by more than one source. */
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
 * @throws MasterKeyError when the file is unreadable, or another rotation is under way
 */
export async function rotateMasterKeyFile(file: string): Promise<void> {
  const next = `${file}.next`;
  await claimDraft(next);
  try {
    const [current] = (await readKeyFile(file)).split(/[\s,]+/).filter((part) => part !== '');
    const keys = `${generateMasterKeyText()}\n${current ?? ''}\n`;
    await writeFile(next, keys, { flush: true });
    await rename(next, file);
  } catch (failure) {
    await rm(next, { force: true });
    throw failure;
  }
  await syncDirectory(file);
}

/** Of two rotations at once, the later would drop the key that the earlier has wrapped by. */
async function claimDraft(next: string): Promise<void> {
  try {
    await writeFile(next, '', newOwnerOnly);
  } catch (cause) {
    if (!isCode(cause, 'EEXIST')) throw cause;
    throw new MasterKeyError(
      `${next} exists: another rotation is running or was interrupted. If none is running, delete the file: its key is not in use`,
      { cause },
    );
  }
}

/** What is wrapped by a key outlives a power cut, so the name of the key's file must too. */
async function syncDirectory(file: string): Promise<void> {
  // Windows does not open directories, and writes names through.
  if (process.platform === 'win32') return;
  const directory = await open(dirname(file));
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
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
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${generateMasterKeyText()}\n`, newOwnerOnly);
  try {
    await link(draft, file);
  } catch (failure) {
    if (!isCode(failure, 'EEXIST')) throw failure;
  } finally {
    await rm(draft);
  }
  await syncDirectory(file);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (failure) {
    throw new MasterKeyError(`cannot read the master key file ${file}`, { cause: failure });
  }
}

function isCode(failure: unknown, code: string): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === code;
}
