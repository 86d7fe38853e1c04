import type { AllAccountsCheckpoint } from '@changgu/sdk';
import type { Batch, EndedAccount, JournalEntry, RunHeader, SubmittedAccount } from './entry.ts';

export interface AccountState extends SubmittedAccount {
  /** Null while the job is open, as far as is known. */
  readonly ended: EndedAccount | null;
}

/** Where a run stands, by its journal. */
export interface RunState {
  readonly header: RunHeader;
  /** What to send next, again if it was sent; null when all accounts are submitted. */
  readonly next: Batch | AllAccountsCheckpoint | null;
  /** By account, in the order of submission. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly finished: boolean;
  /** Bytes of the journal that are whole lines. */
  readonly length: number;
}

/**
 * Reads a journal. A last line without its end was being written when the process died, and did not happen.
 * @returns null for what is no journal or is damaged elsewhere
 */
export function readRunState(journal: string): RunState | null {
  const whole = journal.slice(0, journal.lastIndexOf('\n') + 1);
  const entries = parseLines(whole);
  const [header, ...rest] = entries ?? [];
  if (header?.kind !== 'run' || header.v !== 1) return null;
  let next: RunState['next'] = header.batch;
  let finished = false;
  const accounts = new Map<string, AccountState>();
  for (const entry of rest) {
    switch (entry.kind) {
      case 'checkpoint':
        next = entry.checkpoint;
        break;
      case 'retry':
        next = entry.batch;
        finished = false;
        break;
      case 'submitted':
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

/** A round that is sent again brings the same job; a retry brings another, which is open. */
export function addAccount(accounts: Map<string, AccountState>, account: SubmittedAccount): void {
  const before = accounts.get(account.bank_account_credential_id);
  if (before?.job_id === account.job_id) return;
  accounts.set(account.bank_account_credential_id, { ...account, ended: null });
}

export function endAccount(accounts: Map<string, AccountState>, ended: EndedAccount): void {
  const before = accounts.get(ended.bank_account_credential_id);
  if (before?.job_id !== ended.job_id) return;
  accounts.set(ended.bank_account_credential_id, { ...before, ended });
}

function parseLines(text: string): JournalEntry[] | null {
  try {
    // Only this program writes journals, and a line that is not whole is no JSON.
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JournalEntry);
  } catch {
    return null;
  }
}
