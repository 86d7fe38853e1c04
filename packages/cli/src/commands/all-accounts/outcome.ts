import { type Job, type JobResult, NotFoundError } from '@changgu/sdk';
import type { EndedAccount, SubmittedAccount } from '../../journal/entry.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';
import type { Reader } from '../../reader.ts';

/** One account whose job has ended, as it is printed. */
export interface Outcome extends SubmittedAccount {
  readonly status: string;
  readonly code: string | null;
  readonly error: object | null;
  readonly result: JobResult | null;
}

export const OUTCOME: Shape = {
  fields: fieldsOf<Outcome>()([
    'masked_account_no',
    'status',
    'code',
    'job_id',
    'account_link_id',
    'bank_account_credential_id',
    'error',
    'result',
  ]),
  columns: ['masked_account_no', 'bank_account_credential_id', 'status', 'job_id', 'code'],
  expendable: ['bank_account_credential_id'],
  id: 'job_id',
  whole: ['masked_account_no', 'status'],
};

/** Waits for the job of an account and reads its result. A failed job is an outcome, not an error. */
export async function waitForOutcome(
  client: Reader,
  account: SubmittedAccount,
  signal: AbortSignal,
): Promise<{ outcome: Outcome; ended: EndedAccount }> {
  const { bank_account_credential_id, job_id } = account;
  const job = await lastReading(client, job_id, signal);
  const { status, error } = job ?? { status: 'FAILED', error: null };
  const code = job === null ? 'JOB_NOT_FOUND' : (error?.code ?? null);
  const result = status === 'SUCCEEDED' ? await client.jobs.result(job_id, { signal }) : null;
  return {
    outcome: { ...account, status, code, error, result },
    ended: {
      bank_account_credential_id,
      job_id,
      status,
      code,
      retryable: error?.retryable ?? false,
    },
  };
}

/** Null for a job that is there no more: after its retention nobody can say how it ended. */
async function lastReading(
  client: Reader,
  jobId: string,
  signal: AbortSignal,
): Promise<Job | null> {
  try {
    return await client.jobs.resume(jobId).wait({ signal });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
