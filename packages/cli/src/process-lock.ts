import { link, rename, rm, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { readIfThere } from './config/private-file.ts';

/** The owner of a lock. */
interface Holder {
  readonly pid: number;
  /** ISO-8601 */
  readonly since: string;
}

/** Held by one process at a time. */
export interface ProcessLock {
  release(): Promise<void>;
}

type IsAlive = (pid: number) => boolean;

const ASK_AGAIN_MS = 50;

/**
 * Takes a lock, also from a process that died while holding it.
 * @returns the process that holds it, if there is one
 */
export async function takeLock(
  file: string,
  isAlive: IsAlive,
): Promise<ProcessLock | { readonly heldBy: number }> {
  for (;;) {
    const own = await take(file);
    if (own !== null) return { release: () => releaseOwn(file, own) };
    const text = await readIfThere(file);
    if (text === null) continue;
    const holder = parse(text);
    if (holder && holds(holder, isAlive)) return { heldBy: holder.pid };
    await removeStale(file, text);
  }
}

/** Takes a lock, waiting for its holder. */
export async function waitForLock(
  file: string,
  isAlive: IsAlive,
  signal: AbortSignal,
): Promise<ProcessLock> {
  for (;;) {
    const lock = await takeLock(file, isAlive);
    if ('release' in lock) return lock;
    await pause(ASK_AGAIN_MS, undefined, { signal });
  }
}

/**
 * The file has its content from the start, because a partial one would look like a dead process's.
 * @returns its content, or null when another process was first
 */
async function take(file: string): Promise<string | null> {
  const draft = `${file}.${crypto.randomUUID()}`;
  const holder: Holder = { pid: process.pid, since: new Date().toISOString() };
  const text = JSON.stringify(holder);
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await link(draft, file);
    return text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Another process that considered this one dead may hold it by now. */
async function releaseOwn(file: string, own: string): Promise<void> {
  if ((await readIfThere(file)) === own) await rm(file, { force: true });
}

/** After a reboot, another process may have the number of the one that died. */
function holds({ pid, since }: Holder, isAlive: IsAlive): boolean {
  const booted = Date.now() - uptime() * 1000;
  return Date.parse(since) >= booted && isAlive(pid);
}

/** Renames it first, so that a lock taken by another process in the meantime is noticed and put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${crypto.randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readIfThere(aside)) !== stale) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

function parse(text: string): Holder | null {
  try {
    const holder: Holder = JSON.parse(text);
    return holder;
  } catch {
    return null;
  }
}
