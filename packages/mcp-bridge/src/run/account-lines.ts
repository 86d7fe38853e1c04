import type { AllAccountsRound, ChangguError, Job, JobResult } from '@changgu/sdk';

/** One account of an all-accounts call. */
export interface AccountLine {
  readonly accountLinkId: string;
  readonly bankAccountId: string;
  readonly maskedAccountNo: string;
  readonly jobId: string | null;
  readonly reason: string | null;
  readonly status: string;
  readonly ended: LineEnd | null;
}

/** How an account's job ended. */
export interface LineEnd {
  readonly job: Job;
  readonly result: JobResult | null;
  /** Why the result could not be read. */
  readonly error: ChangguError | null;
}

/** The accounts of a call, in the order in which the service named them. */
export class AccountLines {
  readonly #lines = new Map<string, AccountLine>();

  /** @param only the accounts of this round; absent for all */
  take({ accounts }: AllAccountsRound, only: (bankAccountId: string) => boolean): void {
    for (const { bankAccountCredentialId: bankAccountId, jobId, ...line } of accounts) {
      if (!only(bankAccountId)) continue;
      this.#lines.set(bankAccountId, { ...line, bankAccountId, jobId, ended: null });
    }
  }

  end(jobId: string, ended: LineEnd): void {
    const line = this.all.find((one) => one.jobId === jobId);
    if (!line) return;
    this.#lines.set(line.bankAccountId, { ...line, status: ended.job.status, ended });
  }

  get all(): readonly AccountLine[] {
    return [...this.#lines.values()];
  }

  get endedCount(): number {
    return this.all.filter(({ ended }) => ended !== null).length;
  }
}
