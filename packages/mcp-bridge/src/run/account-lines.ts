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

  /** @returns the account whose job it was, now ended; null for another call's */
  end(jobId: string, ended: LineEnd): AccountLine | null {
    const line = this.all.find((one) => one.jobId === jobId);
    if (!line) return null;
    const now = { ...line, status: ended.job.status, ended };
    this.#lines.set(line.bankAccountId, now);
    return now;
  }

  /** Into an order that does not depend on which request was answered first. */
  sort(): void {
    const sorted = this.all.toSorted((a, b) => (a.bankAccountId < b.bankAccountId ? -1 : 1));
    this.#lines.clear();
    for (const line of sorted) this.#lines.set(line.bankAccountId, line);
  }

  get all(): readonly AccountLine[] {
    return [...this.#lines.values()];
  }

  get endedCount(): number {
    return this.all.filter(({ ended }) => ended !== null).length;
  }
}
