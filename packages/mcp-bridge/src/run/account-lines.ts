import type { AllAccountsRound, ChangguError, Job, JobResult } from '@changgu/sdk';
import type { KnownLine } from './submission-keys.ts';

/** One account of an all-accounts call. */
export interface AccountLine extends KnownLine {
  readonly reason: string | null;
  /** Null until it was read. */
  readonly end: LineEnd | null;
}

/** How an account's job ended. */
export interface LineEnd {
  /** The job, unless it succeeded. */
  readonly failed: Job | null;
  readonly result: JobResult | null;
  /** Why the result could not be read. */
  readonly error: ChangguError | null;
}

/** The accounts of a call, in the order in which the service named them. */
export class AccountLines {
  readonly #lines = new Map<string, AccountLine>();

  /** @param covers the accounts of this round */
  take({ accounts }: AllAccountsRound, covers: (bankAccountId: string) => boolean): void {
    for (const { bankAccountCredentialId: bankAccountId, ...line } of accounts) {
      if (covers(bankAccountId))
        this.#lines.set(bankAccountId, { ...line, bankAccountId, end: null });
    }
  }

  /** Accounts as they were last seen: their request was refused, or only finds those that have a job. */
  takeKnown(known: readonly KnownLine[]): void {
    for (const line of known) {
      this.#lines.set(line.bankAccountId, { ...line, reason: 'interrupted', end: null });
    }
  }

  /** A later round was refused: the accounts that it left have no job. */
  interrupt(covers: (bankAccountId: string) => boolean): void {
    for (const line of this.all) {
      if (line.jobId !== null || !covers(line.bankAccountId)) continue;
      this.#lines.set(line.bankAccountId, { ...line, reason: 'interrupted' });
    }
  }

  /** @returns the account whose job it was, now ended; null for another call's */
  end(jobId: string, status: string, end: LineEnd): AccountLine | null {
    const line = this.all.find((one) => one.jobId === jobId);
    if (!line) return null;
    const now = { ...line, status, end };
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
    return this.all.filter(({ end }) => end !== null).length;
  }
}
