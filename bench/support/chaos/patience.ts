import { setTimeout as pause } from 'node:timers/promises';

const STARTS = 5;

/** @throws Error that names what was awaited when it takes longer: a bench that hangs says nothing. */
export async function within<T>(seconds: number, what: string, awaited: Promise<T>): Promise<T> {
  const over = new AbortController();
  const tooLong = pause(seconds * 1_000, undefined, { signal: over.signal }).then(() => {
    throw new Error(`waited ${seconds} s for ${what}`);
  });
  try {
    return await Promise.race([awaited, tooLong]);
  } finally {
    over.abort();
    tooLong.catch(() => {});
  }
}

/** Starts a process, and another one if it ends instead, as a supervisor would: a busy database may answer too late. */
export async function startPatiently<T>(start: () => Promise<T>): Promise<T> {
  for (let left = STARTS - 1; ; left -= 1) {
    try {
      return await start();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
