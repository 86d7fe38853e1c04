import { hash, randomUUID } from 'node:crypto';
import { type ErrorCode, freesKey, isEndState, type JobState, LIMITS } from '@changgu/contract';
import { ERRORS, isErrorCode } from '@changgu/contract/errors';
import type {
  JobError,
  JobReadResponse,
  JobResultResponse,
  JobSubmitResponse,
} from '@changgu/contract/schemas';
import { hadEffect } from '../rules/jobs/had-effect.ts';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import { ownEnglish } from '../rules/jobs/own-sentences.ts';
import { isStoreAway, ServiceError } from '../rules/service-error.ts';
import { identityWithLink, identityWithoutLink } from '../rules/submission/request-identity.ts';
import type { SubmissionRequest } from '../rules/submission/submission.ts';
import type { Store } from '../store/database.ts';
import type { JobFacts } from '../store/queue/job-reads.ts';
import { type ResultDependencies, readResult } from './result.ts';
import {
  type SubmitAnswer,
  type SubmitDependencies,
  submitJob,
  validateSubmission,
} from './submit.ts';
import type { JobWaits } from './wait.ts';

/** How long an irreversible request without a key is protected against repetition. */
const SAME_REQUEST_MS = 10 * 60_000;

export interface RunAndWaitDependencies {
  readonly submissions: SubmitDependencies;
  readonly results: ResultDependencies;
  readonly waits: Pick<JobWaits, 'waitForChange'>;
  readonly store: Pick<Store, 'jobs'>;
}

/** A submission whose key is optional. */
export interface RunRequest {
  readonly submission: Omit<SubmissionRequest, 'idempotencyKey'>;
  readonly idempotencyKey: string | null;
  readonly irreversible: boolean;
  readonly signal: AbortSignal;
}

export type RunAnswer = { readonly replayed: boolean; readonly jobId: string } & (
  | { readonly kind: 'result'; readonly result: JobResultResponse['result'] }
  | { readonly kind: 'pending'; readonly status: 'QUEUED' | 'RUNNING' }
);

/**
 * Submits a job and waits for it, up to 30 seconds.
 * @throws ServiceError any error of the submission, or the job's own error
 */
export async function runAndWait(
  dependencies: RunAndWaitDependencies,
  request: RunRequest,
): Promise<RunAnswer> {
  const { replayed, response } = await submit(dependencies, request);
  const jobId = response.job_id;
  // Of the whole organization: another of its keys may have made the job that this one replays.
  const access = accessOf(request.submission);
  const waiting = waitForEnd(dependencies, { ...request, access }, jobId);
  const job = await unlessUnavailable(waiting, response);
  if (isPending(job)) return { kind: 'pending', replayed, jobId, status: job.status };
  if (job.status !== 'SUCCEEDED') throw endedWith(job);
  const reading = readResult(dependencies.results, access, jobId);
  const read = await unlessUnavailable(reading, response);
  if (isPending(read)) return { kind: 'pending', replayed, jobId, status: read.status };
  return { kind: 'result', replayed, jobId, result: read.result };
}

interface Pending {
  readonly status: 'QUEUED' | 'RUNNING';
}

function isPending<Job extends { readonly status: JobState }>(job: Job | Pending): job is Pending {
  return job.status === 'QUEUED' || job.status === 'RUNNING';
}

/** Where the store cannot be read, the job as it was accepted: an error without its id invites a second one. */
async function unlessUnavailable<Job>(
  reading: Promise<Job>,
  { status }: Pick<JobSubmitResponse, 'status'>,
): Promise<Job | Pending> {
  try {
    return await reading;
  } catch (error) {
    if (isStoreAway(error) && (status === 'QUEUED' || status === 'RUNNING')) return { status };
    throw error;
  }
}

function submit(dependencies: RunAndWaitDependencies, request: RunRequest): Promise<SubmitAnswer> {
  const { submission, irreversible } = request;
  const idempotencyKey = request.idempotencyKey ?? (irreversible ? null : randomUUID());
  return idempotencyKey === null
    ? submitOnce(dependencies, submission)
    : submitJob(dependencies.submissions, { ...submission, idempotencyKey });
}

/**
 * Without a key, one is derived from the request. Each job that it created more than ten minutes ago, or that failed
 * without effect, makes room for one that follows it, so that two identical concurrent requests create only one job.
 */
async function submitOnce(
  { submissions, store }: RunAndWaitDependencies,
  submission: RunRequest['submission'],
): Promise<SubmitAnswer> {
  const probe = { ...submission, idempotencyKey: randomUUID() };
  const { account_link_id: accountLinkId } = await validateSubmission(submissions, probe);
  const identityHash = identityWithLink(identityWithoutLink(submission), accountLinkId);
  const idempotencyKey = keyOf(identityHash);
  for (;;) {
    // In this order: what is made after the first look is found by the second, or by the key.
    const before = await newestOf(store, submission, idempotencyKey);
    await refuseRecent(store, submission, identityHash);
    const request = { ...submission, accountLinkId, idempotencyKey, followsJobId: before?.id };
    const answer = await submitJob(submissions, request);
    if (!answer.replayed) return answer;
    // Another request was faster; the next look finds its job.
  }
}

function keyOf(identity: string): string {
  return `same-${hash('sha256', identity)}`;
}

function accessOf({ submitter, envScope }: RunRequest['submission']): JobAccess {
  return { organizationId: submitter.organizationId, envScope, submittedBy: null };
}

/** Whatever was purged before it: the jobs of a key go one by one, oldest first. */
async function newestOf(
  { jobs }: RunAndWaitDependencies['store'],
  submission: RunRequest['submission'],
  idempotencyKey: string,
): Promise<JobFacts | undefined> {
  const [newest] = await jobs.list({
    access: accessOf(submission),
    statuses: [],
    provider: null,
    accountLinkId: null,
    action: null,
    submittedFrom: null,
    submittedBefore: null,
    text: null,
    idempotencyKey,
    beforeSeq: null,
    fromSeq: null,
    limit: 1,
  });
  return newest;
}

/**
 * Whatever key made the equal application.
 * @throws ServiceError IDEMPOTENCY_KEY_CONFLICT with the first job
 */
async function refuseRecent(
  { jobs }: RunAndWaitDependencies['store'],
  submission: RunRequest['submission'],
  identityHash: string,
): Promise<void> {
  const access = accessOf(submission);
  const recent = await jobs.equalApplications({ access, identityHash, withinMs: SAME_REQUEST_MS });
  const first = recent.find((job) => !freesKey({ ...job, hadEffect: hadEffect(job) }));
  if (first === undefined) return;
  const { id: jobId } = first;
  throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT', {
    jobId,
    message: {
      ko: '같은 신청이 10분 안에 이미 접수되었습니다. 다시 신청하려면 Idempotency-Key를 보내십시오.',
      en: 'The same application was made within the last ten minutes. Send an Idempotency-Key to make another.',
    },
  });
}

async function waitForEnd(
  { waits }: RunAndWaitDependencies,
  { access, signal }: Pick<RunRequest, 'signal'> & { readonly access: JobAccess },
  jobId: string,
): Promise<JobReadResponse> {
  const deadline = performance.now() + LIMITS.preferWaitSeconds * 1_000;
  for (;;) {
    const seconds = Math.max(0, (deadline - performance.now()) / 1_000);
    const job = await waits.waitForChange(access, jobId, { seconds, signal });
    if (isEndState(job.status) || seconds === 0 || signal.aborted) return job;
  }
}

/** The end of a job as the answer of the call that waited for it. */
function endedWith({ job_id: jobId, error }: JobReadResponse): ServiceError {
  if (error === null) return new ServiceError('JOB_NOT_SUCCEEDED', { jobId });
  const code = answerCode(error.code);
  return new ServiceError(code, {
    jobId,
    retryable: error.retryable,
    ...(error.provider_error_ref === null ? {} : { providerErrorRef: error.provider_error_ref }),
    ...(error.upstream_status === null ? {} : { upstreamStatus: error.upstream_status }),
    ...messageOf(error),
  });
}

/** Codes that appear only in `job.error` have no HTTP status: the reader is sent to the job. */
function answerCode(code: string): ErrorCode {
  if (!isErrorCode(code)) return 'INTERNAL_ERROR';
  return ERRORS[code].status === null ? 'JOB_NOT_SUCCEEDED' : code;
}

/** Institutions answer in Korean; English comes from the error table, unless the sentence is our own. */
function messageOf({ code, message }: JobError) {
  if (message === null) return {};
  const { en } = ERRORS[isErrorCode(code) ? code : 'INTERNAL_ERROR'];
  return { message: { ko: message, en: ownEnglish(message) ?? en } };
}
