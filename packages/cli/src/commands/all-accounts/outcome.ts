import {
  type AccountStep,
  JobCanceledError,
  JobFailedError,
  type JobResult,
  NotFoundError,
} from '@changgu/sdk';
import type { Account, EndedAccount } from '../../journal/entry.ts';
import { type AccountState, accountOf } from '../../journal/run-state.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';

/** One account in its printed form. */
export interface Outcome extends Account {
  /** `OPEN` while the job continues, `NOT_SUBMITTED` without a job. */
  readonly status: string;
  readonly code: string | null;
  readonly error: object | null;
  readonly result: JobResult | null;
}

export const OUTCOME: Shape = {
  fields: fieldsOf<Outcome>()([
    'masked_account_no',
    'bank_account_credential_id',
    'status',
    'job_id',
    'code',
    'account_link_id',
    'error',
    'result',
  ]),
  columns: ['masked_account_no', 'bank_account_credential_id', 'status', 'job_id', 'code'],
  expendable: ['bank_account_credential_id'],
  id: 'job_id',
  whole: ['masked_account_no', 'status'],
};

/** An account whose job has ended. A failed job is an outcome; what cannot be read is an error. */
export function outcomeOf(step: AccountStep): { outcome: Outcome; ended: EndedAccount } {
  const { error, reading, result, jobId } = step;
  const account = accountOf(step);
  const lost = error instanceof NotFoundError;
  if (error !== null && !lost && !isJobEnd(error)) throw error;
  // After the retention period it is no longer known how a job ended.
  const status = lost ? 'FAILED' : (reading?.status ?? 'SUCCEEDED');
  const failure = reading?.error ?? null;
  const code = lost ? 'JOB_NOT_FOUND' : (failure?.code ?? null);
  return {
    outcome: { ...account, status, code, error: failure, result },
    ended: {
      bank_account_credential_id: account.bank_account_credential_id,
      job_id: jobId,
      status,
      code,
      retryable: failure?.retryable ?? false,
    },
  };
}

/** The journal's data about an account. */
export function knownOutcome({ ended, ...account }: AccountState): Outcome {
  const open = account.job_id === null ? 'NOT_SUBMITTED' : 'OPEN';
  const { status = open, code = null } = ended ?? {};
  return { ...account, status, code, error: null, result: null };
}

function isJobEnd(error: unknown): boolean {
  return error instanceof JobFailedError || error instanceof JobCanceledError;
}
