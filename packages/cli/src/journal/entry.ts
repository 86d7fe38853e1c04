import type { AllAccountsCheckpoint, AllAccountsRequest } from '@changgu/sdk';

/** A request whose key is fixed before anything is sent. */
export type Batch = AllAccountsRequest & { readonly batchKey: string };

/** The description of a run, written before anything is sent. */
export interface RunHeader {
  readonly kind: 'run';
  readonly v: 2;
  readonly run: string;
  /** ISO-8601 */
  readonly started_at: string;
  readonly action: string;
  readonly base_url: string;
  readonly env_scope: string;
  readonly batch: Batch;
}

/** An account of the run. */
export interface Account {
  readonly account_link_id: string;
  readonly bank_account_credential_id: string;
  readonly masked_account_no: string;
  /** Null while it has no job. */
  readonly job_id: string | null;
}

/** How the job of an account ended. */
export interface EndedAccount {
  readonly bank_account_credential_id: string;
  readonly job_id: string;
  readonly status: string;
  /** The error code of a job that did not succeed. */
  readonly code: string | null;
  readonly retryable: boolean;
}

/** One line of a journal. Contains no result, because results are read from the service. */
export type JournalEntry =
  | RunHeader
  /** Written before its round is sent, and after each answer. */
  | { readonly kind: 'checkpoint'; readonly checkpoint: AllAccountsCheckpoint }
  /** Failed accounts are submitted anew, under a new key. */
  | { readonly kind: 'retry'; readonly batch: Batch }
  | { readonly kind: 'accounts'; readonly accounts: readonly Account[] }
  | ({ readonly kind: 'ended' } & EndedAccount)
  | { readonly kind: 'finished' };
