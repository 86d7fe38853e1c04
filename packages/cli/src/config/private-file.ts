import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file, or null when it does not exist. Any other failure is thrown. */
export async function readIfThere(file: string): Promise<string | null> {
  // At every start, of small files: node:fs/promises takes longer to load than these to read.
  if (!existsSync(file)) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Replaces a file atomically, readable by its owner only. The mode is set each time, because it applies only on creation. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await makePrivateDir(dirname(file));
  const draft = `${file}.${crypto.randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Creates missing directories for the owner only; an existing directory keeps its mode. */
export async function makePrivateDir(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
