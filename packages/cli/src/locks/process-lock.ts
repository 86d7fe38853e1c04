import { link, rename, rm, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { readIfThere } from '../config/private-file.ts';
import { processStart } from './process-start.ts';

/** The owner of a lock. */
interface Holder {
  readonly pid: number;
  /** ISO-8601 */
  readonly since: string;
  /** Null where the system does not tell it; omitted by earlier versions. */
  readonly start?: string | null;
}

/** What this process holds: a lock in its name that is not among them was left by another one with its number. */
const own = new Set<string>();

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
    const taken = await take(file);
    if (taken !== null) return { release: () => releaseOwn(file, taken) };
    const text = await readIfThere(file);
    if (text === null) continue;
    const holder = parse(text);
    const isOwn = own.has(`${file} ${text}`);
    if (holder && holds(holder, isOwn, isAlive)) return { heldBy: holder.pid };
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
  const { pid } = process;
  const holder: Holder = { pid, since: new Date().toISOString(), start: processStart(pid) };
  const text = JSON.stringify(holder);
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await link(draft, file);
    own.add(`${file} ${text}`);
    return text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Another process that considered this one dead may hold it by now. */
async function releaseOwn(file: string, text: string): Promise<void> {
  own.delete(`${file} ${text}`);
  if ((await readIfThere(file)) === text) await rm(file, { force: true });
}

/** After a reboot, or in another container, another process may have the number of the one that died. */
function holds({ pid, since, start }: Holder, isOwn: boolean, isAlive: IsAlive): boolean {
  const booted = Date.now() - uptime() * 1000;
  if (Date.parse(since) < booted || !isAlive(pid)) return false;
  if (pid === process.pid) return isOwn;
  const now = processStart(pid);
  return !start || now === null || now === start;
}

/** Renames it first, so that a lock taken by another process in the meantime is noticed and put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${crypto.randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  try {
    if ((await readIfThere(aside)) !== stale) await link(aside, file).catch(() => {});
  } finally {
    await rm(aside, { force: true });
  }
}

function parse(text: string): Holder | null {
  try {
    const holder: Holder = JSON.parse(text);
    return holder;
  } catch {
    return null;
  }
}
