import type { AllAccountsRound, Job } from '@changgu/sdk';

/** One account of an all-accounts call. */
export interface AccountLine {
  readonly accountLinkId: string;
  readonly bankAccountId: string;
  readonly maskedAccountNo: string;
  readonly jobId: string | null;
  readonly reason: string | null;
  readonly status: string;
  /** The last reading, once its job has ended. */
  readonly ended: Job | null;
}

/** An account that has a job. */
export type SubmittedLine = Pick<AccountLine, 'bankAccountId' | 'status'> & {
  readonly jobId: string;
};

/** The accounts of a call, in the order in which the service named them. */
export class AccountLines {
  readonly #lines = new Map<string, AccountLine>();

  /** @returns jobs that this round made or found */
  take({ accounts }: AllAccountsRound): SubmittedLine[] {
    const jobs: SubmittedLine[] = [];
    for (const { bankAccountCredentialId: bankAccountId, jobId, ...line } of accounts) {
      this.#lines.set(bankAccountId, { ...line, bankAccountId, jobId, ended: null });
      if (jobId !== null) jobs.push({ bankAccountId, jobId, status: line.status });
    }
    return jobs;
  }

  end(bankAccountId: string, job: Job): void {
    const line = this.#lines.get(bankAccountId);
    if (line) this.#lines.set(bankAccountId, { ...line, status: job.status, ended: job });
  }

  get all(): readonly AccountLine[] {
    return [...this.#lines.values()];
  }

  get endedCount(): number {
    return this.all.filter(({ ended }) => ended !== null).length;
  }
}
