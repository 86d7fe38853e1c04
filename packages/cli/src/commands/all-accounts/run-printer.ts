import type { JobResult } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import type { EndedAccount } from '../../journal/entry.ts';
import type { AccountState } from '../../journal/run-state.ts';
import { onContactChange } from '../../output/contact.ts';
import type { ProgressLine } from '../../output/progress-line.ts';
import type { Shape } from '../../output/shape.ts';
import { knownOutcome, OUTCOME, type Outcome } from './outcome.ts';
import { countAccounts } from './summary.ts';

export interface RunPrinterOptions {
  readonly progress: ProgressLine;
  /** Called with the accounts that have just been printed, which a resumed run does not print again. */
  readonly onPrinted: (ended: readonly EndedAccount[]) => Promise<void>;
}

/** Prints the accounts of a run: each as it ends, or all at the end, depending on the format. */
export class RunPrinter {
  readonly #cli: Cli;
  readonly #accounts: ReadonlyMap<string, AccountState>;
  readonly #progress: ProgressLine;
  readonly #onPrinted: RunPrinterOptions['onPrinted'];
  readonly #outcomes = new Map<string, Outcome>();
  /** To be printed at the end. */
  readonly #unprinted: EndedAccount[] = [];
  #endContact: () => void = () => {};

  constructor(
    cli: Cli,
    accounts: ReadonlyMap<string, AccountState>,
    { progress, onPrinted }: RunPrinterOptions,
  ) {
    this.#cli = cli;
    this.#accounts = accounts;
    this.#progress = progress;
    this.#onPrinted = onPrinted;
  }

  get #atOnce(): boolean {
    const { format } = this.#cli.output;
    return format !== 'table' && format !== 'json';
  }

  async print(outcome: Outcome, ended: EndedAccount): Promise<void> {
    if (this.#atOnce) {
      await this.#cli.output.change(outcome, OUTCOME);
      await this.#onPrinted([ended]);
    } else {
      this.#outcomes.set(outcome.bank_account_credential_id, outcome);
      this.#unprinted.push(ended);
    }
  }

  progress(pauseSeconds?: number): void {
    const { bulk } = this.#cli.texts;
    const { accounts, open, failed } = countAccounts(this.#accounts);
    const done = bulk.progress(accounts - open, accounts, failed);
    this.#progress.show(
      pauseSeconds === undefined ? done : `${done}, ${bulk.waitingForRoom(pauseSeconds)}`,
    );
  }

  /** Says that the service does not answer, for as long as that is so. */
  watchContact(): void {
    this.#endContact = onContactChange(this.#cli, {
      lost: () => this.#progress.show(this.#cli.texts.jobs.noAnswer),
      back: () => {
        if (this.#accounts.size > 0) this.progress();
      },
    });
  }

  /** Every account has its line, including open and unsubmitted ones. */
  async end(): Promise<void> {
    this.#endContact();
    this.#progress.clear();
    const { output } = this.#cli;
    const left = [...this.#accounts.values()].filter(({ ended }) => ended === null);
    if (this.#atOnce) {
      for (const account of left) await output.change(knownOutcome(account), OUTCOME);
      return;
    }
    if (output.format === 'json') {
      await output.list([...this.#outcomes.values(), ...left.map(knownOutcome)], OUTCOME);
    } else {
      const rows = [...this.#accounts.values()].map(
        (account) =>
          this.#outcomes.get(account.bank_account_credential_id) ?? knownOutcome(account),
      );
      await output.list(rows.map(withResult), tableShape(rows));
    }
    await this.#onPrinted(this.#unprinted);
  }
}

type Values = Readonly<Record<string, unknown>>;

/** The values of a result that fit into a table; its rows are in the job. */
function valuesOf(result: JobResult | null): Values {
  if (result === null || result.sandbox) return {};
  const told = Object.entries(result.data ?? {}).filter(
    ([name, value]) => typeof value !== 'object' && !ALREADY_SHOWN.includes(name),
  );
  return Object.fromEntries(told);
}

const ALREADY_SHOWN = ['success', 'bank_account_credential_id', 'masked_account_no', 'account_no'];

function withResult({ result, ...outcome }: Outcome): object {
  return { ...valuesOf(result), ...outcome };
}

function tableShape(rows: readonly Outcome[]): Shape {
  const values = rows.map(({ result }) => valuesOf(result));
  const results = [...new Set(values.flatMap((each) => Object.keys(each)))];
  // The currency or the period is the same for every account; the balance is what one looks for.
  const alike = results.filter((name) => new Set(values.map((each) => each[name])).size === 1);
  return {
    ...OUTCOME,
    fields: [...(OUTCOME.fields ?? []), ...results],
    columns: [
      'masked_account_no',
      'status',
      'code',
      ...results,
      'job_id',
      'bank_account_credential_id',
    ],
    expendable: ['bank_account_credential_id', ...(results.length > 0 ? ['job_id'] : []), ...alike],
    id: 'masked_account_no',
  };
}
