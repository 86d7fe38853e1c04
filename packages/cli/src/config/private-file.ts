import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asFileError, FileError } from '../file-error.ts';

/** The text of a file, or null when it does not exist. @throws FileError */
export async function readIfThere(file: string): Promise<string | null> {
  // At every start, of small files: node:fs/promises takes longer to load than these to read.
  if (!existsSync(file)) return null;
  try {
    return textOf(readFileSync(file), file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw asFileError(file, error);
  }
}

/** The JSON in a file, or null when it does not exist. @throws FileError */
export async function readJsonIfThere(file: string): Promise<unknown> {
  const text = await readIfThere(file);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileError(file, 'NOT_JSON', error);
  }
}

/** @throws FileError for bytes of another encoding, of which replacement characters would be read */
export function textOf(bytes: Uint8Array, file: string): string {
  if (!isUtf8(bytes)) throw new FileError(file, 'NOT_UTF8');
  return new TextDecoder().decode(bytes);
}

/**
 * Replaces a file atomically, readable by its owner only. The mode is set each time, because it applies only on
 * creation. A symbolic link stays, as of those who keep their settings in a repository: what it points to is replaced.
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await makePrivateDir(dirname(file));
  const target = existsSync(file) ? await realpath(file) : file;
  const draft = `${target}.${crypto.randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw asFileError(file, error);
  }
}

/** Creates missing directories for the owner only; an existing directory keeps its mode. */
export async function makePrivateDir(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
}

/** Also where a part of the path is a file, as with HOME=/dev/null. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  );
}
