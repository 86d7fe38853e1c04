import type { AllAccountsCheckpoint } from '@changgu/sdk';
import type { Account, Batch, EndedAccount, JournalEntry, RunHeader } from './entry.ts';

export interface AccountState extends Account {
  /** Null while the job is open, as far as is known. */
  readonly ended: EndedAccount | null;
}

/** A run's progress according to its journal. */
export interface RunState {
  readonly header: RunHeader;
  /** Where to resume; the whole request while nothing was sent. */
  readonly next: Batch | AllAccountsCheckpoint;
  /** By account, in the order in which they were first seen. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly finished: boolean;
  /** The length of the journal's complete lines in bytes. */
  readonly length: number;
}

/**
 * Reads a journal. An incomplete last line was being written when the process died, and does not count.
 * @returns null for a file that is not a journal or is damaged elsewhere
 */
export function readRunState(journal: string): RunState | null {
  const whole = journal.slice(0, journal.lastIndexOf('\n') + 1);
  const [header, ...rest] = parseLines(whole) ?? [];
  if (header?.kind !== 'run' || header.v !== 2) return null;
  let next: RunState['next'] = header.batch;
  let finished = false;
  const accounts = new Map<string, AccountState>();
  for (const entry of rest) {
    switch (entry.kind) {
      case 'checkpoint':
        next = entry.checkpoint;
        // Written before the accounts of its round.
        for (const account of entry.checkpoint.pending) addAccount(accounts, accountOf(account));
        break;
      case 'retry':
        next = entry.batch;
        finished = false;
        reopen(accounts, entry.batch.bankAccountCredentialIds ?? []);
        break;
      case 'accounts':
        for (const account of entry.accounts) addAccount(accounts, account);
        break;
      case 'ended':
        endAccount(accounts, entry);
        break;
      case 'finished':
        finished = true;
        break;
      case 'run':
        return null;
    }
  }
  return { header, next, accounts, finished, length: Buffer.byteLength(whole) };
}

/** An account as the SDK has it, as it is kept and printed. */
export function accountOf({
  accountLinkId,
  bankAccountCredentialId,
  maskedAccountNo,
  jobId,
}: {
  accountLinkId: string;
  bankAccountCredentialId: string;
  maskedAccountNo: string;
  jobId: string | null;
}): Account {
  return {
    account_link_id: accountLinkId,
    bank_account_credential_id: bankAccountCredentialId,
    masked_account_no: maskedAccountNo,
    job_id: jobId,
  };
}

/** Sending a round again finds the same job; a retry has another one, which is open. */
export function addAccount(accounts: Map<string, AccountState>, account: Account): void {
  const before = accounts.get(account.bank_account_credential_id);
  const known = before?.job_id === account.job_id || account.job_id === null;
  if (before && known) return;
  accounts.set(account.bank_account_credential_id, { ...account, ended: null });
}

export function endAccount(accounts: Map<string, AccountState>, ended: EndedAccount): void {
  const before = accounts.get(ended.bank_account_credential_id);
  if (before?.job_id !== ended.job_id) return;
  accounts.set(ended.bank_account_credential_id, { ...before, ended });
}

/** An account to be retried has no job until it is submitted. */
export function reopen(accounts: Map<string, AccountState>, ids: readonly string[]): void {
  for (const id of ids) {
    const before = accounts.get(id);
    if (before) accounts.set(id, { ...before, job_id: null, ended: null });
  }
}

function parseLines(text: string): JournalEntry[] | null {
  try {
    // Only this program writes journals, and an incomplete line is not JSON.
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JournalEntry);
  } catch {
    return null;
  }
}
