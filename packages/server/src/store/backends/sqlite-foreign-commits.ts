import { type FSWatcher, watch } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../transactions/failure.ts';

/** How soon after the last one another process's commit is noticed, and how often to look while there are writers. */
const LOOK_MS = 10;
/** A writer to the log may still be waiting for the disk before its commit becomes visible. */
const WRITING_MS = 250;
/** How often to look for commits without a file event; the only way where files cannot be watched. */
const UNHEARD_MS = process.platform === 'linux' ? 1_000 : 50;

/**
 * Calls back when another process has committed. The thread sleeps until there is a write, because each write
 * goes to the log file, which is watched. Returns how to stop.
 */
export function watchForeignCommits(
  raw: DatabaseSync,
  path: string,
  onCommit: () => void,
): () => void {
  const dataVersion = raw.prepare('pragma data_version');
  // On one connection it changes only with commits of others.
  const read = () =>
    raw.isTransaction ? known : unlessBusy(() => dataVersion.get()?.data_version);
  let known: unknown = unlessBusy(() => dataVersion.get()?.data_version);
  let lookUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const seen = read();
    if (seen !== null && seen !== known) {
      known = seen;
      onCommit();
    }
    plan();
  }

  function plan(): void {
    clearTimeout(timer);
    timer = setTimeout(look, performance.now() < lookUntil ? LOOK_MS : UNHEARD_MS);
  }

  function heard(): void {
    const asleep = performance.now() >= lookUntil;
    lookUntil = performance.now() + WRITING_MS;
    if (asleep) plan();
  }

  const watcher = watchFile(`${path}-wal`, heard);
  plan();
  return () => {
    clearTimeout(timer);
    watcher?.close();
  };
}

/** None where a file cannot be watched; then only the slow check remains. */
function watchFile(file: string, onWrite: () => void): FSWatcher | null {
  try {
    const watcher = watch(file, { persistent: false }, onWrite);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}

/** Null while another process holds the file; a file that cannot be read at all ends the thread. */
function unlessBusy<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}
