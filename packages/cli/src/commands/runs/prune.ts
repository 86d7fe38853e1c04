import { rm } from 'node:fs/promises';
import type { WritingCli } from '../../cli.ts';
import { writes } from '../../command.ts';
import { journalFile, runLockFile } from '../../journal/journal-file.ts';
import { readRuns } from '../../journal/run-store.ts';
import { takeLock } from '../../locks/process-lock.ts';
import { RUN, runOf } from './list.ts';

interface PruneOptions {
  /** Milliseconds. */
  readonly olderThan?: number | undefined;
  /** Also runs that could still be resumed. */
  readonly unfinished?: true | undefined;
}

const DEFAULT_AGE_MS = 30 * 24 * 60 * 60_000;

/** A run that a process is working on stays: without its journal it could not be resumed. @returns whether it is gone */
async function removeIdle({ io, locations: { runsDir } }: WritingCli, run: string) {
  const lock = await takeLock(runLockFile(runsDir, run), io.isAlive);
  if ('heldBy' in lock) return false;
  try {
    await rm(journalFile(runsDir, run));
    return true;
  } finally {
    await lock.release();
  }
}

/** Deletes the journals of old runs. Jobs and results stay at the service. */
export const prune = writes<[options: PruneOptions]>(
  RUN,
  async (cli, { olderThan = DEFAULT_AGE_MS, unfinished = false }) => {
    const { runsDir } = cli.locations;
    const before = cli.now() - olderThan;
    const pruned: ReturnType<typeof runOf>[] = [];
    const warn = (file: string) => cli.notes.warn(cli.texts.bulk.damaged(file));
    for await (const state of readRuns(runsDir, warn)) {
      const { header, finished } = state;
      if (Date.parse(header.started_at) > before || !(finished || unfinished)) continue;
      const file = journalFile(runsDir, header.run);
      if (!(await cli.change({ removes: file }, () => removeIdle(cli, header.run)))) continue;
      pruned.push(runOf(state));
    }
    if (cli.output.format !== 'table') await cli.output.list(pruned, RUN);
    await cli.notes.info(cli.texts.bulk.pruned(pruned.length));
    return undefined;
  },
);
