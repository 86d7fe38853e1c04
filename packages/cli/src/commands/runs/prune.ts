import { rm } from 'node:fs/promises';
import { writes } from '../../command.ts';
import { journalFile } from '../../journal/journal-file.ts';
import { readRuns } from '../../journal/run-store.ts';
import { RUN, runOf } from './list.ts';

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
    const pruned: ReturnType<typeof runOf>[] = [];
    const warn = (file: string) => cli.notes.warn(cli.texts.bulk.damaged(file));
    for await (const state of readRuns(runsDir, warn)) {
      const { header, finished } = state;
      if (Date.parse(header.started_at) > before || !(finished || unfinished)) continue;
      const file = journalFile(runsDir, header.run);
      await cli.change({ removes: file }, () => rm(file));
      pruned.push(runOf(state));
    }
    if (cli.output.format !== 'table') await cli.output.list(pruned, RUN);
    await cli.notes.info(cli.texts.bulk.pruned(pruned.length));
    return undefined;
  },
);
