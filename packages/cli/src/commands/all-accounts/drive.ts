import {
  type AllAccountsCheckpoint,
  type AllAccountsRequest,
  ApiError,
  type Changgu,
  type EndStep,
} from '@changgu/sdk';
import type { WritingCli } from '../../cli.ts';
import { CliError } from '../../cli-error.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Account } from '../../journal/entry.ts';
import type { RunJournal } from '../../journal/run-journal.ts';
import {
  type AccountState,
  accountOf,
  addAccount,
  endAccount,
  type RunState,
} from '../../journal/run-state.ts';
import { PossiblyAccepted } from '../../possibly-accepted.ts';
import { Unfinished } from '../../unfinished.ts';
import { outcomeOf } from './outcome.ts';
import { RunPrinter } from './run-printer.ts';
import { countAccounts, summarize } from './summary.ts';

export interface DriveOptions {
  /** Jobs waited for at a time. */
  readonly concurrency: number;
}

/** A request that was cut off leaves unknown what it submitted. */
const GRACE_MS = 5_000;

/**
 * Takes a run from `start` to its end: sends the remaining rounds, waits for every job, prints each account. An
 * account is printed before the journal records it: after a crash it may be printed twice, but never not at all.
 * @throws Unfinished with what stopped the run
 */
export async function drive(
  cli: WritingCli,
  client: Changgu,
  journal: RunJournal,
  { header, accounts: known }: Pick<RunState, 'header' | 'accounts'>,
  start: AllAccountsRequest | AllAccountsCheckpoint,
  options: DriveOptions,
): Promise<ExitCode> {
  const accounts = new Map(known);
  const accepted = new PossiblyAccepted();
  const { run, batch } = header;
  try {
    await followSteps(cli, client, journal, accounts, start, { ...options, accepted });
  } catch (error) {
    // A run that the service refused completely has nothing to resume. An earlier process may have sent a round of a
    // resumed one, whose answer it did not live to read.
    const isRefused = error instanceof ApiError && !accepted.has(batch.batchKey);
    if (isRefused && !journal.isReopened && accounts.size === 0) {
      await journal.discard();
      throw error;
    }
    throw new Unfinished(error, {
      facts: { run, ...countAccounts(accounts) },
      notice: cli.texts.bulk.stopped,
      commands: [`changgu all-accounts resume ${run}`],
    });
  } finally {
    await journal.close();
  }
  return summarize(cli, run, accounts);
}

async function followSteps(
  cli: WritingCli,
  client: Changgu,
  journal: RunJournal,
  accounts: Map<string, AccountState>,
  start: AllAccountsRequest | AllAccountsCheckpoint,
  { concurrency, accepted }: DriveOptions & { readonly accepted: PossiblyAccepted },
): Promise<void> {
  let isTold = journal.isReopened;
  let isFinished = false;
  const printer = new RunPrinter(cli, accounts, {
    progress: await cli.progress(),
    onPrinted: (ended) =>
      journal.append(...ended.map((one) => ({ kind: 'ended', ...one }) as const)),
  });
  printer.watchContact();
  const steps = client.jobs.allAccountsSteps(start, {
    concurrency,
    signal: cli.signal,
    graceMs: GRACE_MS,
    middleware: [accepted.middleware],
    ...(cli.timeoutMs === undefined ? {} : { timeoutMs: cli.timeoutMs }),
    onCheckpoint: (checkpoint) => journal.append({ kind: 'checkpoint', checkpoint }),
  });
  try {
    for await (const step of steps) {
      // A run that the service refuses has not started.
      if (step.type === 'end' && step.error) throw step.error;
      if (!isTold) await cli.notes.info(cli.texts.bulk.started(journal.state.header.run));
      isTold = true;
      if (step.type === 'round') {
        await take(journal, accounts, step.accounts.map(accountOf));
        printer.progress(step.next?.retryAfterSeconds);
      } else if (step.type === 'account') {
        await take(journal, accounts, [accountOf(step)]);
        const { outcome, ended } = outcomeOf(step);
        await printer.print(outcome, ended);
        endAccount(accounts, ended);
        printer.progress();
      } else {
        checkEnd(cli, step);
        isFinished = true;
      }
    }
  } finally {
    await printer.end();
  }
  if (isFinished) await journal.append({ kind: 'finished' });
}

async function take(
  journal: RunJournal,
  accounts: Map<string, AccountState>,
  found: readonly Account[],
): Promise<void> {
  const fresh = found.filter((account) => {
    const before = accounts.get(account.bank_account_credential_id);
    return !before || (account.job_id !== null && before.job_id !== account.job_id);
  });
  if (fresh.length === 0) return;
  await journal.append({ kind: 'accounts', accounts: fresh });
  for (const account of fresh) addAccount(accounts, account);
}

/** @throws for every end except when all accounts are done */
function checkEnd({ texts, timeoutMs = 0 }: WritingCli, { stop, interruption }: EndStep) {
  if (interruption) {
    const { code, message } = interruption;
    throw new CliError(code, texts.bulk.interrupted(`${message} (${code})`), exitCodeOf(code));
  }
  if (stop === 'ended') return;
  throw new CliError('WAIT_TIMEOUT', texts.failures.outOfTime(timeoutMs), EXIT.stillOpen);
}

/** What an interruption means to a script: without a plan, permission is missing. Never that nothing was submitted. */
function exitCodeOf(code: string): ExitCode {
  return code === 'POLICY_PAID_REQUIRED' ? EXIT.forbidden : EXIT.failed;
}
