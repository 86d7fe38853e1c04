import type { Cli } from '../../cli.ts';
import type { ExitCode } from '../../exit-codes.ts';
import type { RunHeader } from '../../journal/entry.ts';
import { RunJournal } from '../../journal/run-journal.ts';
import { newRunName } from '../../journal/run-store.ts';
import { drive } from './drive.ts';
import { type RequestOptions, readRequest } from './read-request.ts';

export interface RunOptions extends RequestOptions {
  readonly concurrency: number;
}

/** One action on all bank accounts, recorded so that it can be resumed after anything. */
export async function run(
  cli: Cli,
  action: string,
  options: RunOptions,
): Promise<ExitCode | undefined> {
  const request = await readRequest(cli, action, options);
  const { baseUrl, envScope } = await cli.settings();
  if (cli.globals.dryRun) {
    await cli.output.document({ ...request, env_scope: envScope.value });
    await cli.notes.info(cli.texts.jobs.dryRun);
    return;
  }
  const client = await cli.client();
  const header: RunHeader = {
    kind: 'run',
    v: 1,
    run: newRunName(new Date()),
    started_at: new Date().toISOString(),
    action,
    base_url: baseUrl?.value ?? '',
    env_scope: envScope.value,
    batch: request,
  };
  const journal = await RunJournal.create(cli.locations.runsDir, header);
  await cli.notes.info(cli.texts.bulk.started(header.run));
  const state = { header, next: request, accounts: new Map(), finished: false, length: 0 };
  return drive(cli, client, journal, state, { concurrency: options.concurrency, all: false });
}
