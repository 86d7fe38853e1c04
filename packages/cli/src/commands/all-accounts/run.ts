import { writes } from '../../command.ts';
import type { RunHeader } from '../../journal/entry.ts';
import { RunJournal } from '../../journal/run-journal.ts';
import { newRunName } from '../../journal/run-store.ts';
import { koreanTime } from '../../korean-time.ts';
import { drive } from './drive.ts';
import { OUTCOME } from './outcome.ts';
import { type RequestOptions, readRequest } from './read-request.ts';

export interface RunOptions extends RequestOptions {
  readonly concurrency: number;
}

/** One action on all bank accounts, recorded so that it can be resumed after any interruption. */
export const run = writes<[action: string, options: RunOptions]>(
  OUTCOME,
  async (cli, action, options) => {
    const request = await readRequest(cli, action, options);
    const { baseUrl, envScope } = await cli.settings();
    const client = await cli.client();
    if (cli.gate.dryRun) {
      // The first round is what would be sent; it is not recorded.
      for await (const _ of client.jobs.allAccountsRounds(request, cli.call)) break;
    }
    const header: RunHeader = {
      kind: 'run',
      v: 2,
      run: newRunName(new Date(cli.now())),
      started_at: koreanTime(cli.now()),
      action,
      base_url: baseUrl?.value ?? '',
      env_scope: envScope.value,
      batch: request,
    };
    const journal = await RunJournal.create(cli, header);
    return drive(cli, client, journal, { header, accounts: new Map() }, request, options);
  },
);
