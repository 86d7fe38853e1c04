import { readdir } from 'node:fs/promises';
import { usageError } from '../cli-error.ts';
import { isMissing, readIfThere } from '../config/private-file.ts';
import type { Texts } from '../texts/ko.ts';
import { journalFile } from './journal-file.ts';
import { type RunState, readRunState } from './run-state.ts';

/** A name that sorts by time. */
export function newRunName(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `run-${time}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Names of all runs, the oldest first. */
export async function listRuns(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const journals = names.filter((name) => /^run-[\w-]+\.jsonl$/.test(name));
  return journals.map((name) => name.replace(/\.jsonl$/, '')).toSorted();
}

/** One run; `last` is the newest. @throws usage error when there is none, or its journal is damaged */
export async function readRun(dir: string, asked: string, { bulk }: Texts): Promise<RunState> {
  const names = (await listRuns(dir)).filter((name) => asked === 'last' || name === asked);
  for (const name of names.toReversed()) {
    const file = journalFile(dir, name);
    const journal = (await readIfThere(file)) ?? '';
    // Killed before it wrote anything, a run has sent nothing.
    if (asked === 'last' && journal === '') continue;
    const state = readRunState(journal);
    if (!state) throw usageError(bulk.damaged(file));
    return state;
  }
  throw usageError(asked === 'last' ? bulk.noRuns : bulk.noSuchRun(asked), 'changgu runs list');
}

/** Every run, the newest first. A damaged journal hides no other. @param onDamaged told of its file */
export async function* readRuns(
  dir: string,
  onDamaged: (file: string) => Promise<void>,
): AsyncGenerator<RunState, void, void> {
  for (const name of (await listRuns(dir)).toReversed()) {
    const file = journalFile(dir, name);
    const state = readRunState((await readIfThere(file)) ?? '');
    if (state) yield state;
    else await onDamaged(file);
  }
}
