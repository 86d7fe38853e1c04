import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { writes } from '../../command.ts';
import type { Batch } from '../../journal/entry.ts';
import { journalFile, RunJournal } from '../../journal/run-journal.ts';
import type { RunState } from '../../journal/run-state.ts';
import { readRun } from '../../journal/run-store.ts';
import { drive } from './drive.ts';
import { OUTCOME } from './outcome.ts';
import { summarize } from './summary.ts';

export interface ResumeOptions {
  readonly concurrency: number;
  readonly retryFailed?: true | undefined;
  readonly all?: true | undefined;
}

/** Goes on with a run where its journal stands; with --retry-failed also submits failed accounts anew. */
export const resume = writes<[asked: string, options: ResumeOptions]>(
  OUTCOME,
  async (cli, asked, options) => {
    const { locations, texts } = cli;
    const state = await readRun(locations.runsDir, asked, texts);
    const { header, finished, accounts, length } = state;
    await checkHome(cli, state);
    if (finished && !options.retryFailed && !options.all) {
      await cli.notes.info(texts.bulk.finished(header.run));
      return summarize(cli, header.run, accounts);
    }
    const client = await cli.client();
    const batch = options.retryFailed ? await retryBatch(cli, state) : null;
    cli.gate.pass({ writes: journalFile(locations.runsDir, header.run) });
    const journal = await RunJournal.reopen(locations.runsDir, header.run, length);
    if (batch) await journal.append({ kind: 'retry', batch });
    await cli.notes.info(texts.bulk.resumed(header.run));
    const { concurrency, all = false } = options;
    return drive(
      cli,
      client,
      journal,
      { ...state, next: batch ?? state.next },
      { concurrency, all },
    );
  },
);

/** Keys are of one service and environment: elsewhere the same round would make new jobs. */
async function checkHome(cli: Cli, { header }: RunState): Promise<void> {
  const { baseUrl, envScope } = await cli.settings();
  if (baseUrl?.value === header.base_url && envScope.value === header.env_scope) return;
  throw usageError(
    cli.texts.bulk.otherService(header.base_url, header.env_scope),
    `--base-url ${header.base_url} --env-scope ${header.env_scope}`,
  );
}

/**
 * A new batch of the accounts whose failure may pass; null when there is none. Only once all that was begun has been
 * submitted: two batches at once could both be asked for one account.
 */
async function retryBatch(cli: Cli, { next, accounts, header }: RunState): Promise<Batch | null> {
  const { bulk } = cli.texts;
  const failed = [...accounts.values()].flatMap(({ ended }) =>
    ended && ended.status !== 'SUCCEEDED' ? [ended] : [],
  );
  const again = failed.filter(({ retryable }) => retryable);
  const hopeless = failed.length - again.length;
  if (hopeless > 0) await cli.notes.info(bulk.notRetryable(hopeless));
  if (again.length === 0) await cli.notes.info(bulk.nothingToRetry);
  if (next !== null || again.length === 0) return null;
  return {
    ...header.batch,
    batchKey: crypto.randomUUID(),
    bankAccountCredentialIds: again.map(({ bank_account_credential_id: id }) => id),
  };
}
