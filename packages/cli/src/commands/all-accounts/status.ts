import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { listRuns, readRun } from '../../journal/run-store.ts';
import type { Shape } from '../../output/shape.ts';
import { OUTCOME } from './outcome.ts';
import { countAccounts } from './summary.ts';

const RUN: Shape = {
  fields: ['run', 'action', 'started_at', 'accounts', 'succeeded', 'failed', 'open', 'finished'],
  columns: ['run', 'action', 'started_at', 'accounts', 'succeeded', 'failed', 'open', 'finished'],
  expendable: ['accounts', 'started_at', 'action'],
  id: 'run',
};

/** All runs, or the accounts of one, by their journals: no network. */
export const status = reads<[asked: string | undefined]>(
  (_, asked) => (asked === undefined ? RUN : OUTCOME),
  async (cli, asked) => {
    if (asked === undefined) await cli.output.list(runs(cli), RUN);
    else {
      const { accounts } = await readRun(cli.locations.runsDir, asked, cli.texts);
      const rows = [...accounts.values()].map(({ ended, ...account }) => ({
        ...account,
        status: ended?.status ?? 'OPEN',
        code: ended?.code ?? null,
      }));
      await cli.output.list(rows, OUTCOME);
    }
    return undefined;
  },
);

async function* runs({ locations, texts }: Cli) {
  for (const name of (await listRuns(locations.runsDir)).toReversed()) {
    const { header, accounts, finished } = await readRun(locations.runsDir, name, texts);
    const { run, action, started_at } = header;
    yield { run, action, started_at, ...countAccounts(accounts), finished };
  }
}
