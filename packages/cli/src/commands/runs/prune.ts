import { rm } from 'node:fs/promises';
import { writes } from '../../command.ts';
import { journalFile } from '../../journal/journal-file.ts';
import { readRuns } from '../../journal/run-store.ts';
import { RUN } from './list.ts';

interface PruneOptions {
  /** Milliseconds. */
  readonly olderThan?: number | undefined;
  /** Also runs that could still be resumed. */
  readonly unfinished?: true | undefined;
}

const DEFAULT_AGE_MS = 30 * 24 * 60 * 60_000;

/** Deletes the journals of old runs. Jobs and results stay at the service. */
export const prune = writes<[options: PruneOptions]>(
  RUN,
  async (cli, { olderThan = DEFAULT_AGE_MS, unfinished = false }) => {
    const { runsDir } = cli.locations;
    const before = cli.now() - olderThan;
    let count = 0;
    const warn = (file: string) => cli.notes.warn(cli.texts.bulk.damaged(file));
    for await (const { header, finished } of readRuns(runsDir, warn)) {
      if (Date.parse(header.started_at) > before || !(finished || unfinished)) continue;
      const file = journalFile(runsDir, header.run);
      await cli.change({ removes: file }, () => rm(file));
      count += 1;
    }
    await cli.notes.info(cli.texts.bulk.pruned(count));
    return undefined;
  },
);
