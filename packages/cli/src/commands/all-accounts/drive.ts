import type { AllAccountsRound, Changgu } from '@changgu/sdk';
import pLimit from 'p-limit';
import type { WritingCli } from '../../cli.ts';
import { CliError } from '../../cli-error.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { SubmittedAccount } from '../../journal/entry.ts';
import type { RunJournal } from '../../journal/run-journal.ts';
import {
  type AccountState,
  addAccount,
  endAccount,
  type RunState,
} from '../../journal/run-state.ts';
import type { ProgressLine } from '../../output/progress-line.ts';
import { Unfinished } from '../../unfinished.ts';
import { OUTCOME, type Outcome, waitForOutcome } from './outcome.ts';
import { summarize } from './summary.ts';

export interface DriveOptions {
  /** Jobs waited for at a time. */
  readonly concurrency: number;
  /** Prints accounts that ended in an earlier process, too. */
  readonly all: boolean;
}

/**
 * Takes a run from where its journal stands to its end: sends the rounds that remain, waits for every job, prints
 * each account. An account is printed before the journal says so: after a crash it may be printed twice, never not.
 * @throws what stopped the run, after saying how to go on
 */
export async function drive(
  cli: WritingCli,
  client: Changgu,
  journal: RunJournal,
  state: RunState,
  options: DriveOptions,
): Promise<ExitCode> {
  const run = new Run(cli, client, journal, state, options);
  try {
    await run.toTheEnd();
  } catch (error) {
    const { run: name } = state.header;
    throw new Unfinished(error, {
      facts: { run: name },
      notice: cli.texts.bulk.stopped,
      commands: [`changgu all-accounts resume ${name}`],
    });
  } finally {
    await journal.close();
  }
  return summarize(cli, state.header.run, run.accounts);
}

class Run {
  readonly accounts: Map<string, AccountState>;
  readonly #cli: WritingCli;
  readonly #client: Changgu;
  readonly #journal: RunJournal;
  readonly #state: RunState;
  readonly #options: DriveOptions;
  readonly #progress: ProgressLine;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #waits: Promise<void>[] = [];
  /** Kept for formats that are written as one. */
  readonly #printed: Outcome[] = [];
  #remaining = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(
    cli: WritingCli,
    client: Changgu,
    journal: RunJournal,
    state: RunState,
    options: DriveOptions,
  ) {
    this.#cli = cli;
    this.#client = client;
    this.#journal = journal;
    this.#state = state;
    this.#options = options;
    this.#progress = cli.progress();
    this.#signal = AbortSignal.any([cli.signal, this.#stop.signal]);
    this.#limit = pLimit(options.concurrency);
    this.accounts = new Map(state.accounts);
  }

  async toTheEnd(): Promise<void> {
    try {
      for (const account of this.accounts.values()) {
        if (!account.ended || this.#options.all) this.#wait(account);
      }
      const interruption = await this.#send().catch((error: unknown) => this.#fail(error));
      await Promise.all(this.#waits);
      if (this.#failure) throw this.#failure.error;
      if (interruption) throw interruption;
      await this.#journal.append({ kind: 'finished' });
    } finally {
      this.#progress.clear();
      await this.#printRest();
    }
  }

  /** Sends what remains, round by round. An interruption that does not pass ends the sending, not the waiting. */
  async #send(): Promise<CliError | undefined> {
    const { next } = this.#state;
    if (!next) return;
    const rounds = this.#client.jobs.allAccountsRounds(next, {
      signal: this.#signal,
      onCheckpoint: (checkpoint) => this.#journal.append({ kind: 'checkpoint', checkpoint }),
    });
    let last: AllAccountsRound | null = null;
    for await (const round of rounds) {
      await this.#take(round);
      last = round;
    }
    if (!last?.checkpoint) return;
    const { code, message } = last.interruption ?? { code: 'INTERRUPTED', message: '' };
    return new CliError(
      code,
      this.#cli.texts.bulk.interrupted(`${code} ${message}`),
      exitCodeOf(code),
    );
  }

  async #take(round: AllAccountsRound): Promise<void> {
    const accounts = round.accounts.flatMap(({ jobId, ...line }): SubmittedAccount[] =>
      jobId === null
        ? []
        : [
            {
              account_link_id: line.accountLinkId,
              bank_account_credential_id: line.bankAccountCredentialId,
              masked_account_no: line.maskedAccountNo,
              job_id: jobId,
            },
          ],
    );
    await this.#journal.append({ kind: 'submitted', accounts });
    await this.#journal.append({ kind: 'checkpoint', checkpoint: round.checkpoint });
    this.#remaining = round.next?.bankAccountCredentialIds.length ?? 0;
    for (const account of accounts) {
      const known = this.accounts.get(account.bank_account_credential_id);
      addAccount(this.accounts, account);
      // A round that was sent again brings accounts that are waited for, or have ended, already.
      if (known?.job_id !== account.job_id) this.#wait(account);
    }
    this.#showProgress(round.next?.retryAfterSeconds);
  }

  #wait(account: SubmittedAccount): void {
    const wait = this.#limit(() => this.#finish(account));
    this.#waits.push(wait.catch((error: unknown) => this.#fail(error)));
  }

  async #finish(account: SubmittedAccount): Promise<void> {
    this.#signal.throwIfAborted();
    const { outcome, ended } = await waitForOutcome(this.#client, account, this.#signal);
    await this.#print(outcome);
    await this.#journal.append({ kind: 'ended', ...ended });
    endAccount(this.accounts, ended);
    this.#showProgress();
  }

  /** The first failure stops the run; those that follow are its consequences. */
  #fail(error: unknown): undefined {
    this.#failure ??= { error };
    this.#stop.abort();
  }

  async #print(outcome: Outcome): Promise<void> {
    const { output } = this.#cli;
    if (output.format === 'table' || output.format === 'json') this.#printed.push(outcome);
    else await output.change(outcome, OUTCOME);
  }

  /** A table shows every account of the run; a JSON document those that ended now. */
  async #printRest(): Promise<void> {
    const { output } = this.#cli;
    if (output.format === 'json') await output.list(this.#printed, OUTCOME);
    if (output.format !== 'table') return;
    const rows = [...this.accounts.values()].map(({ ended, ...account }) => ({
      ...account,
      status: ended?.status ?? 'OPEN',
      code: ended?.code ?? null,
    }));
    await output.list(rows, OUTCOME);
  }

  #showProgress(pauseSeconds?: number): void {
    const { bulk } = this.#cli.texts;
    const ended = [...this.accounts.values()].flatMap(({ ended: end }) => (end ? [end] : []));
    const failed = ended.filter(({ status }) => status !== 'SUCCEEDED').length;
    const done = bulk.progress(ended.length, this.accounts.size + this.#remaining, failed);
    this.#progress.show(
      pauseSeconds === undefined ? done : `${done}, ${bulk.waitingForRoom(pauseSeconds)}`,
    );
  }
}

/** What an interruption means to a script: no plan is no permission, no tokens is try later. */
function exitCodeOf(code: string): ExitCode {
  if (code === 'POLICY_PAID_REQUIRED') return EXIT.forbidden;
  return code === 'POLICY_QUOTA_EXCEEDED' ? EXIT.busy : EXIT.failed;
}
