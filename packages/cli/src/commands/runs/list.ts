import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import type { RunState } from '../../journal/run-state.ts';
import { readRuns } from '../../journal/run-store.ts';
import type { Shape } from '../../output/shape.ts';
import { countAccounts } from '../all-accounts/summary.ts';

export const RUN: Shape = {
  fields: [
    'run',
    'action',
    'base_url',
    'env_scope',
    'started_at',
    'accounts',
    'succeeded',
    'failed',
    'open',
    'finished',
  ],
  columns: ['run', 'action', 'started_at', 'accounts', 'succeeded', 'failed', 'open', 'finished'],
  expendable: ['accounts', 'started_at', 'action'],
  id: 'run',
};

/** All runs by their journals, the newest first: no network. */
export const list = reads<[]>(RUN, async (cli) => {
  await cli.output.list(rows(cli), RUN);
  return undefined;
});

async function* rows({ locations, notes, texts }: Cli) {
  const warn = (file: string) => notes.warn(texts.bulk.damaged(file));
  for await (const state of readRuns(locations.runsDir, warn)) yield runOf(state);
}

/** A run as it is printed. */
export function runOf({ header, accounts, finished }: RunState) {
  const { run, action, base_url, env_scope, started_at } = header;
  return { run, action, base_url, env_scope, started_at, ...countAccounts(accounts), finished };
}
