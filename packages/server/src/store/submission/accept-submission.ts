import type { JobState } from '@changgu/contract';
import { remainingTokens } from '../../rules/quota/quota.ts';
import {
  decideSubmission,
  type SubmissionFacts,
} from '../../rules/submission/decide-submission.ts';
import { identityWithLink } from '../../rules/submission/request-identity.ts';
import { RetryTransactionError, read, type Transaction, write } from '../transactions/script.ts';
import { insertJob, type NewJob } from './job-insert.ts';
import { readSubmissionRows, type SubmissionQuery } from './submission-rows.ts';
import { chargeTokens } from './usage.ts';

/** One submission, plain and complete: all that the transaction needs besides its rows. */
export interface Submission extends SubmissionFacts, SubmissionQuery, NewJob {}

export interface SubmittedJob {
  readonly id: string;
  readonly status: JobState;
  readonly submittedAt: number;
}

export interface SubmissionAnswer {
  readonly kind: 'accepted' | 'replayed';
  readonly job: SubmittedJob;
}

export interface SubmissionCheck {
  readonly accountLinkId: string | null;
  /** Null where there is no limit. */
  readonly remainingTokens: number | null;
}

/** POST /v1/jobs, from policy to the row (D19 steps 8 to 12), completely or not at all. */
export const submit = write(async (tx, submission: Submission): Promise<SubmissionAnswer> => {
  const { rows, decision } = await decide(tx, submission);
  if (decision.kind === 'refuse') throw decision.error;
  if (decision.kind === 'replay') return { kind: 'replayed', job: decision.job };
  const accountLinkId = decision.link?.id ?? null;
  const inserted = await insertJob(tx, submission, {
    now: rows.now,
    accountLinkId,
    bankAccountCredentialId: decision.link?.accountId ?? null,
    identityHash: identityWithLink(submission.identityWithoutLink, accountLinkId),
    chargedPeriods: rows.usages.map(({ key }) => key),
  });
  // Another request took the key, unlinked the account or used the last token since the rows were read.
  if (!inserted) throw new RetryTransactionError();
  if (!(await chargeTokens(tx, submission, rows.usages, submission.usageTokens))) {
    throw new RetryTransactionError();
  }
  return {
    kind: 'accepted',
    job: { id: submission.jobId, status: 'QUEUED', submittedAt: rows.now },
  };
});

/** `Prefer: validate-only`: everything but the acceptance itself. */
export const checkSubmission = read(
  async (tx, submission: Submission): Promise<SubmissionCheck> => {
    const { rows, decision } = await decide(tx, submission);
    if (decision.kind === 'refuse') throw decision.error;
    return {
      accountLinkId: decision.kind === 'accept' ? (decision.link?.id ?? null) : rows.existingLinkId,
      remainingTokens: remainingTokens(rows.usages),
    };
  },
);

async function decide(tx: Transaction, submission: Submission) {
  const rows = await readSubmissionRows(tx, submission);
  return { rows, decision: decideSubmission(rows, submission) };
}
