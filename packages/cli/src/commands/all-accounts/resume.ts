import type { AllAccountsCheckpoint, AllAccountsRequest } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { writes } from '../../command.ts';
import type { Batch } from '../../journal/entry.ts';
import { journalFile } from '../../journal/journal-file.ts';
import { RunJournal } from '../../journal/run-journal.ts';
import { type AccountState, type RunState, reopen } from '../../journal/run-state.ts';
import { readRun } from '../../journal/run-store.ts';
import { checkHome } from './check-home.ts';
import { drive } from './drive.ts';
import { OUTCOME } from './outcome.ts';
import { summarize } from './summary.ts';

export interface ResumeOptions {
  readonly concurrency: number;
  readonly retryFailed?: true | undefined;
  readonly all?: true | undefined;
}

/** Resumes a run from its journal; with --retry-failed also submits failed accounts again. */
export const resume = writes<[asked: string, options: ResumeOptions]>(
  OUTCOME,
  async (cli, asked, options) => {
    const { locations, texts } = cli;
    const { header } = await readRun(locations.runsDir, asked, texts);
    const client = await cli.client();
    cli.gate.pass({ writes: journalFile(locations.runsDir, header.run) });
    const journal = await RunJournal.reopen(cli, header.run);
    const { state } = journal;
    try {
      await checkHome(cli, state);
      const retry = options.retryFailed ? await retryBatch(cli, state) : null;
      if (state.finished && !retry && !options.all) {
        await cli.notes.info(texts.bulk.finished(header.run));
        // A program reads one document, also of no account.
        if (cli.output.format !== 'table') await cli.output.list([], OUTCOME);
        return await summarize(cli, header.run, state.accounts);
      }
      const accounts = new Map(state.accounts);
      if (retry) {
        await journal.append({ kind: 'retry', batch: retry });
        reopen(accounts, retry.bankAccountCredentialIds ?? []);
      }
      await cli.notes.info(texts.bulk.resumed(header.run));
      const start = retry ?? startOf(state, options.all ?? false);
      return await drive(cli, client, journal, { header, accounts }, start, options);
    } finally {
      await journal.close();
    }
  },
);

/** The rounds still to be sent, and the accounts to wait for: the open ones, or all. */
function startOf(
  { next, accounts }: RunState,
  all: boolean,
): AllAccountsRequest | AllAccountsCheckpoint {
  const wanted = [...accounts.values()].filter(({ ended }) => all || ended === null);
  return { ...next, pending: pendingOf(wanted) };
}

/**
 * A new batch of the accounts whose failure may be temporary; null when there are none. Only after everything that was
 * begun has been submitted, because two concurrent batches could both query one account.
 */
async function retryBatch(cli: Cli, state: RunState): Promise<Batch | null> {
  const { bulk } = cli.texts;
  const all = [...state.accounts.values()];
  const failed = all.flatMap(({ ended }) => (ended && ended.status !== 'SUCCEEDED' ? [ended] : []));
  const again = failed.filter(({ retryable }) => retryable);
  const hopeless = failed.length - again.length;
  if (hopeless > 0) await cli.notes.info(bulk.notRetryable(hopeless));
  if (again.length === 0) await cli.notes.info(bulk.nothingToRetry);
  const unsubmitted = all.some(({ job_id: job }) => job === null);
  if (unsubmitted || again.length === 0 || !isSent(state)) return null;
  return {
    ...state.header.batch,
    batchKey: crypto.randomUUID(),
    bankAccountCredentialIds: again.map(({ bank_account_credential_id: id }) => id),
    pending: pendingOf(all.filter(({ ended }) => ended === null)),
  };
}

/** Whether every round was sent. */
function isSent({ next }: RunState): boolean {
  return 'kind' in next && next.bankAccountCredentialIds?.length === 0;
}

function pendingOf(accounts: readonly AccountState[]) {
  return accounts.flatMap(({ job_id: jobId, ...account }) =>
    jobId === null
      ? []
      : [
          {
            accountLinkId: account.account_link_id,
            bankAccountCredentialId: account.bank_account_credential_id,
            maskedAccountNo: account.masked_account_no,
            jobId,
          },
        ],
  );
}
