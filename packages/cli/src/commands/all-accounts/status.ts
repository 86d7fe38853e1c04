import type { Cli } from '../../cli.ts';
import { listRuns, readRun } from '../../journal/run-store.ts';
import { OUTCOME } from './outcome.ts';
import { countAccounts } from './summary.ts';

/** All runs, or the accounts of one, by their journals: no network. */
export async function status(cli: Cli, asked: string | undefined): Promise<undefined> {
  const { runsDir } = cli.locations;
  if (asked === undefined) {
    await cli.output.list(runs(cli), {
      columns: [
        'run',
        'action',
        'started_at',
        'accounts',
        'succeeded',
        'failed',
        'open',
        'finished',
      ],
      id: 'run',
    });
    return;
  }
  const { accounts } = await readRun(runsDir, asked, cli.texts);
  const rows = [...accounts.values()].map(({ ended, ...account }) => ({
    ...account,
    status: ended?.status ?? 'OPEN',
    code: ended?.code ?? null,
  }));
  await cli.output.list(rows, OUTCOME);
}

async function* runs({ locations, texts }: Cli) {
  for (const name of (await listRuns(locations.runsDir)).toReversed()) {
    const { header, accounts, finished } = await readRun(locations.runsDir, name, texts);
    const { run, action, started_at } = header;
    yield { run, action, started_at, ...countAccounts(accounts), finished };
  }
}
