import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** What all tests together keep at a time, with room to spare. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Puts the temporary files of this process and its children into memory where the system offers it: hundreds of test
 * databases sync every commit, and the wait for the disk would be a good part of a run. Removed when the process ends.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !isUsable()) return;
  const folder = mkdtempSync(join(MEMORY, 'changgu-'));
  // PostgreSQL does not run as root: its user has to reach the database inside.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Containers often allow 64 MB there and no programs; tests unpack and run some. */
function isUsable(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, place]) => place === MEMORY);
    const options = mount?.[3]?.split(',') ?? ['ro'];
    if (options.includes('ro') || options.includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
