import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  generateMasterKeyText,
  MasterKeyError,
  type MasterKeySource,
  type MasterKeys,
  parseMasterKeys,
} from './master-key.ts';

const OWNER_ONLY = 0o600;
/** The permission bits of group and others. */
const OTHERS = 0o077;
const SOURCES = 'CHANGGU_MASTER_KEY, CHANGGU_MASTER_KEY_FILE or CHANGGU_MASTER_KEY_COMMAND';

export interface MasterKeyOptions {
  /** CHANGGU_MASTER_KEY */
  readonly masterKey?: string | undefined;
  /** CHANGGU_MASTER_KEY_FILE */
  readonly masterKeyFile?: string | undefined;
  /** CHANGGU_MASTER_KEY_COMMAND */
  readonly masterKeyCommand?: string | undefined;
  /** The data directory of a `dev` server, which contains its own key. */
  readonly devDataDir?: string | undefined;
  /** `dev` only: create a missing key. Any other command would seal data with a key that is then lost. */
  readonly createDevKey?: boolean;
}

/** The path of the master key file in a `dev` data directory. */
export function devMasterKeyFile(dataDir: string): string {
  return join(dataDir, 'master-key');
}

/** @throws MasterKeyError when the key is missing, unreadable or given by more than one source */
export async function openMasterKeySource(options: MasterKeyOptions): Promise<MasterKeySource> {
  const { masterKey, masterKeyFile, masterKeyCommand, devDataDir } = options;
  const given = [masterKey, masterKeyFile, masterKeyCommand].filter((each) => each !== undefined);
  if (given.length > 1) throw new MasterKeyError(`set only one of ${SOURCES}`);
  if (masterKey !== undefined) return fixedMasterKeys(parseMasterKeys(masterKey));
  if (masterKeyFile !== undefined) return readMasterKeys(() => readKeyFile(masterKeyFile));
  if (masterKeyCommand !== undefined) {
    const { runKeyCommand } = await import('./master-key-command.ts');
    return readMasterKeys(() => runKeyCommand(masterKeyCommand));
  }
  if (devDataDir === undefined) throw new MasterKeyError(`set one of ${SOURCES}`);
  const file = devMasterKeyFile(devDataDir);
  if (!existsSync(file)) {
    if (options.createDevKey !== true) {
      throw new MasterKeyError(
        `there is no master key in ${devDataDir}: set ${SOURCES} as for serve, or name the directory of a dev server with --data-dir`,
      );
    }
    await createKeyFile(file);
  }
  return readMasterKeys(() => readKeyFile(file));
}

export function fixedMasterKeys(keys: MasterKeys): MasterKeySource {
  return { keys: () => keys, reload: async () => {} };
}

/**
 * Puts a new key before the current one. That one stays in the file until the next rotation, so that running
 * servers and keys not yet rewrapped still work; older keys are removed.
 * @throws MasterKeyError when the file is unreadable, or another rotation is in progress
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

/** With two concurrent rotations, the later would remove the key that the earlier has wrapped with. */
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

/** What a key wraps survives a power failure, so the name of the key's file must survive it too. */
async function syncDirectory(file: string): Promise<void> {
  // Windows cannot open directories, and writes names through.
  if (process.platform === 'win32') return;
  const directory = await open(dirname(file));
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function readMasterKeys(read: () => Promise<string>): Promise<MasterKeySource> {
  let keys = parseMasterKeys(await read());
  return {
    keys: () => keys,
    async reload() {
      keys = parseMasterKeys(await read());
    },
  };
}

const newOwnerOnly = { mode: OWNER_ONLY, flag: 'wx', flush: true } as const;

/** Creates the file completely or not at all: a second process starting at the same time reads the first one's key. */
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
    await assertOwnerOnly(file);
    return await readFile(file, 'utf8');
  } catch (failure) {
    if (failure instanceof MasterKeyError) throw failure;
    throw new MasterKeyError(`cannot read the master key file ${file}`, { cause: failure });
  }
}

/** Anyone who can read the file can read every stored credential. Windows stores permissions elsewhere. */
async function assertOwnerOnly(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(file);
  if ((mode & OTHERS) === 0) return;
  throw new MasterKeyError(
    `the master key file ${file} is open to other users (mode ${(mode & 0o777).toString(8)}); run: chmod 600 ${file}`,
  );
}

function isCode(failure: unknown, code: string): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === code;
}
