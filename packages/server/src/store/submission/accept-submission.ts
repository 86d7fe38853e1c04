import type { JobState } from '@changgu/contract';
import { poolOf } from '../../rules/claiming/pool.ts';
import type { LinkFacts } from '../../rules/links/choose-link.ts';
import { remainingTokens } from '../../rules/quota/quota.ts';
import {
  decideSubmission,
  type SubmissionFacts,
  type SubmissionRows,
} from '../../rules/submission/decide-submission.ts';
import { decideTogether } from '../../rules/submission/decide-together.ts';
import { ciphertextTarget } from '../../rules/submission/encrypted-fields.ts';
import { identityWithLink } from '../../rules/submission/request-identity.ts';
import {
  type BatchOutcome,
  batchedWrite,
  inIndexOrder,
  inOneSavepoint,
  RetryTransactionError,
  read,
  type Signal,
  type Transaction,
} from '../transactions/script.ts';
import { bindCiphertexts } from './bound-ciphertexts.ts';
import { insertJob, insertJobs } from './job-insert.ts';
import type { AcceptedAs, AcceptedJob, NewJob } from './job-row.ts';
import type { SubmissionQuery } from './rows-statement.ts';
import { type ReadRows, readRowsOfMany, readSubmissionRows } from './submission-rows.ts';
import {
  type Charge,
  chargeSums,
  chargeTokens,
  isNotable,
  summedUp,
  sumsOf,
  type UsageOwner,
} from './usage.ts';

/** One submission, plain and complete: everything that the transaction needs besides its rows. */
export interface Submission extends SubmissionFacts, SubmissionQuery, NewJob {}

export interface SubmittedJob {
  readonly id: string;
  readonly status: JobState;
  readonly submittedAt: number;
}

export interface SubmissionAnswer {
  readonly kind: 'accepted' | 'replayed';
  readonly job: SubmittedJob;
  readonly accountLinkId: string | null;
}

export interface SubmissionCheck {
  readonly accountLinkId: string | null;
  /** The job that the key created before; null where the submission would create one. */
  readonly job: SubmittedJob | null;
  /** Null where there is no limit. */
  readonly remainingTokens: number | null;
}

/** POST /v1/jobs, from policy to the row (D19 steps 8 to 12), completely or not at all. */
export const submit = inOneSavepoint(inIndexOrder(batchedWrite(submitOne, submitTogether)));

async function submitOne(tx: Transaction, submission: Submission): Promise<SubmissionAnswer> {
  const { rows, decision } = await decide(tx, submission);
  if (decision.kind === 'refuse') throw decision.error;
  if (decision.kind === 'replay') return replayed(decision.job, rows);
  const job = { job: submission, accepted: acceptedAs(submission, rows, decision.link) };
  // Another request took the key, removed the link or used the last token since the rows were read.
  if (!(await insertJob(tx, job.job, job.accepted))) throw new RetryTransactionError();
  await bindReceived(tx, [job]);
  if (!(await chargeTokens(tx, submission, rows.usages, submission.usageTokens))) {
    throw new RetryTransactionError();
  }
  return accepted(submission, rows, decision.link);
}

/** The same for submissions that share a transaction; if one of them loses to another request, all are undone. */
async function submitTogether(
  tx: Transaction,
  submissions: readonly Submission[],
): Promise<BatchOutcome<SubmissionAnswer>[]> {
  const found = await readRowsOfMany(tx, submissions);
  const jobs: AcceptedJob[] = [];
  const charges: Charge[] = [];
  const outcomes = decideTogether(submissions, found).map(
    (decision, n): BatchOutcome<SubmissionAnswer> => {
      const [job, rows] = [submissions[n], found[n]];
      if (decision.kind === 'refuse') return { kind: 'failed', error: decision.error };
      if (decision.kind === 'again' || !job || !rows) return { kind: 'again' };
      if (decision.kind === 'replay') {
        return { kind: 'done', value: replayed(decision.job, rows) };
      }
      jobs.push({ job, accepted: acceptedAs(job, rows, decision.link) });
      charges.push({ ...ownerOf(job), periods: rows.usages, tokens: job.usageTokens });
      return { kind: 'done', value: accepted(job, rows, decision.link) };
    },
  );
  if (jobs.length === 0) return outcomes;
  if (tx.dialect.name === 'postgres') await writeAll(tx, jobs, charges, expectedOf(jobs, found));
  else if (!(await writeEach(tx, jobs, charges))) throw new RetryTransactionError();
  return outcomes;
}

/** Sent together: the server takes the locks, inserts, charges and commits in this order, and stops where one fails. */
async function writeAll(
  tx: Transaction,
  jobs: readonly AcceptedJob[],
  charges: readonly Charge[],
  expected: readonly Signal[],
): Promise<void> {
  const sums = sumsOf(charges);
  const done = Promise.all([insertJobs(tx, jobs), bindReceived(tx, jobs), chargeSums(tx, sums)]);
  // What is notable is written after the charge. Where many are under way, more join the next batch meanwhile.
  if (jobs.length === 1 && !isNotable(sums)) tx.conclude(expected);
  await done;
}

/** That jobs are ready whose lanes are free, and with them that there are events. */
function expectedOf(
  jobs: readonly AcceptedJob[],
  found: readonly (ReadRows | null)[],
): readonly Signal[] {
  const held = new Set(found.flatMap((rows) => [...(rows?.outlook?.heldLinks ?? [])]));
  const seq = Math.min(...found.flatMap((rows) => rows?.outlook?.lastSeq ?? []));
  const heads = jobs.filter(({ accepted }) => !held.has(accepted.accountLinkId ?? ''));
  const pools = new Set(heads.map(({ job }) => poolOf(job.envScope)));
  const organizations = new Set(jobs.map(({ job }) => job.organizationId));
  return [
    ...Array.from(pools, (pool) => ({ kind: 'ready', pool, seq }) as const),
    ...Array.from(organizations, (organizationId) => ({ kind: 'event', organizationId }) as const),
  ];
}

/** Without round trips, a statement for each job costs less than one that takes its rows from JSON. */
async function writeEach(
  tx: Transaction,
  jobs: readonly AcceptedJob[],
  charges: readonly Charge[],
): Promise<boolean> {
  for (const { job, accepted } of jobs) {
    if (!(await insertJob(tx, job, accepted))) return false;
  }
  await bindReceived(tx, jobs);
  for (const { periods, tokens, ...owner } of summedUp(charges)) {
    if (!(await chargeTokens(tx, owner, periods, tokens))) return false;
  }
  return true;
}

/** Also those bound elsewhere do not refuse a job: nothing is opened before it runs, so it is the run that fails. */
async function bindReceived(tx: Transaction, jobs: readonly AcceptedJob[]): Promise<void> {
  const bindings = jobs.flatMap(({ job: { organizationId, ciphertexts }, accepted }) => {
    if (ciphertexts === undefined) return [];
    return { ...ciphertexts, organizationId, target: ciphertextTarget(accepted.accountLinkId) };
  });
  if (bindings.length > 0) await bindCiphertexts(tx, bindings);
}

function ownerOf({ organizationId, envScope }: Submission): UsageOwner {
  return { organizationId, envScope };
}

function acceptedAs(
  { identityWithoutLink }: Submission,
  { now, usages }: SubmissionRows,
  link: LinkFacts | null,
): AcceptedAs {
  const accountLinkId = link?.id ?? null;
  return {
    now,
    accountLinkId,
    bankAccountCredentialId: link?.accountId ?? null,
    identityHash: identityWithLink(identityWithoutLink, accountLinkId),
    chargedPeriods: usages.map(({ key }) => key),
  };
}

function accepted(
  { jobId }: Submission,
  { now }: SubmissionRows,
  link: LinkFacts | null,
): SubmissionAnswer {
  const job = { id: jobId, status: 'QUEUED', submittedAt: now } as const;
  return { kind: 'accepted', job, accountLinkId: link?.id ?? null };
}

function replayed(job: SubmittedJob, { existingLinkId }: ReadRows): SubmissionAnswer {
  return { kind: 'replayed', job, accountLinkId: existingLinkId };
}

/** `Prefer: validate-only`: everything except the acceptance itself. */
export const checkSubmission = read(
  async (tx, submission: Submission): Promise<SubmissionCheck> => {
    const { rows, decision } = await decide(tx, submission);
    if (decision.kind === 'refuse') throw decision.error;
    const isNew = decision.kind === 'accept';
    return {
      accountLinkId: isNew ? (decision.link?.id ?? null) : rows.existingLinkId,
      job: isNew ? null : decision.job,
      remainingTokens: remainingTokens(rows.usages),
    };
  },
);

async function decide(tx: Transaction, submission: Submission) {
  const rows = await readSubmissionRows(tx, submission);
  return { rows, decision: decideSubmission(rows, submission) };
}
