import type { FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ArtifactNotSavedError } from '../errors/artifact-errors.ts';

/**
 * Writes chunks to a temporary file next to the target and renames it at the end, so readers of the target
 * see the whole file or none.
 * @param write gets a function that starts the file again, and yields its bytes
 * @throws ArtifactNotSavedError
 */
export async function saveFile(
  to: string,
  write: (restart: () => Promise<void>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    await writeAndRename(to, write);
  } catch (error) {
    const code = systemCodeOf(error);
    throw code === null ? error : new ArtifactNotSavedError(to, code, error);
  }
}

/** Null for what is no error of the file system. */
function systemCodeOf(error: unknown): string | null {
  const { code, syscall }: { code?: unknown; syscall?: unknown } = Object(error);
  return typeof code === 'string' && typeof syscall === 'string' ? code : null;
}

async function writeAndRename(
  to: string,
  write: (restart: () => Promise<void>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const { open, rename, rm } = await import('node:fs/promises');
  const target = await targetOf(to);
  // Not the name and more: that may be as long as a name can be.
  const temporary = join(dirname(target), `.${crypto.randomUUID()}.part`);
  // Readable only by its owner, because these are people's bank statements.
  const file = await open(temporary, 'wx', 0o600);
  try {
    await fill(file, write);
    await file.sync();
    await file.close();
    await rename(temporary, target);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Where a link leads: it stays one. @throws for a pipe or a device, which the file would replace */
async function targetOf(to: string): Promise<string> {
  const { readlink, realpath, stat } = await import('node:fs/promises');
  const facts = await stat(to).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (facts?.isFile()) return realpath(to);
  if (facts === null) {
    const link = await readlink(to).catch(() => null);
    return link === null ? to : resolve(dirname(to), link);
  }
  if (facts.isDirectory()) return to;
  throw new ArtifactNotSavedError(to, 'EEXIST', null);
}

async function fill(
  file: FileHandle,
  write: (restart: () => Promise<void>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  let position = 0;
  const restart = async () => {
    await file.truncate(0);
    position = 0;
  };
  for await (const chunk of write(restart)) {
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await file.write(
        chunk,
        written,
        chunk.length - written,
        position + written,
      );
      written += bytesWritten;
    }
    position += chunk.length;
  }
}
