import { freesKey, isEndState, submitNextRun } from '@changgu/contract';
import { loginActions } from '@changgu/contract/catalogue';
import type { JobSubmitResponse, JobValidationResponse } from '@changgu/contract/schemas';
import { hasOpenSession } from '../jobs/login-session.ts';
import { readJob } from '../jobs/read.ts';
import { type SubmitAnswer, submitJob, tryOutSubmission } from '../jobs/submit.ts';
import { jobAccess } from '../requests/access.ts';
import type { SubmissionRequest } from '../rules/submission/submission.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import type { ToolCall } from './tools/arguments.ts';

type SubmitRunDependencies = Pick<
  McpDependencies,
  'submissions' | 'store' | 'institutions' | 'addresses' | 'sessionIdleMs'
>;

/**
 * Submits a call, or finds the job of the same call made before. Where that one failed without effect and so freed its
 * key, the call runs again: a model that logs in and repeats it with its request_id is not told of the same failure
 * for ever.
 * @throws ServiceError when it was not submitted
 */
export async function submitRun(
  dependencies: SubmitRunDependencies,
  caller: Caller,
  request: SubmissionRequest,
  { isFreedByFailure }: Pick<ToolCall, 'isFreedByFailure'>,
): Promise<JobSubmitResponse> {
  if (!isFreedByFailure) return (await submitJob(dependencies.submissions, request)).response;
  const found = await submitNextRun(request.idempotencyKey, async (idempotencyKey) => {
    const answer = await submitJob(dependencies.submissions, { ...request, idempotencyKey });
    return { ...answer, isFreed: await isFreed(dependencies, caller, answer) };
  });
  return found.response;
}

/** What a call would come to, tried without doing it. */
export interface TriedRun {
  readonly validation: JobValidationResponse;
  /** The key of the run whose job answers a call made before, so that nothing new is done; null where one would be made. */
  readonly madeKey: string | null;
}

/** @throws ServiceError for what would refuse the call */
export async function tryOutRun(
  dependencies: SubmitRunDependencies,
  caller: Caller,
  request: SubmissionRequest,
  { isFreedByFailure }: Pick<ToolCall, 'isFreedByFailure'>,
): Promise<TriedRun> {
  const found = await submitNextRun(request.idempotencyKey, async (key) => {
    const run = { ...request, idempotencyKey: key };
    const { validation, replay } = await tryOutSubmission(dependencies.submissions, run);
    const mayFree = isFreedByFailure && replay !== null;
    return {
      key,
      validation,
      replay,
      isFreed: mayFree && (await isFreed(dependencies, caller, replay)),
    };
  });
  return { validation: found.validation, madeKey: found.replay && found.key };
}

async function isFreed(
  dependencies: SubmitRunDependencies,
  { principal, envScope }: Caller,
  { response: { job_id: jobId, status, action }, replayed }: SubmitAnswer,
): Promise<boolean> {
  const { store, institutions } = dependencies;
  if (!replayed || !isEndState(status)) return false;
  const access = jobAccess(principal, envScope);
  if (status === 'SUCCEEDED') {
    // A login whose session is gone has to be made again.
    const isReal = envScope !== 'sandbox';
    const isLogin = loginActions(institutions).has(action);
    return isReal && isLogin && !(await hasOpenSession(dependencies, access, jobId));
  }
  const { had_effect: hadEffect } = await readJob(store, access, jobId);
  return freesKey({ status, hadEffect });
}

/** Those of these jobs whose failure had no effect, by id. */
export async function freedJobs(
  { store }: Pick<McpDependencies, 'store'>,
  { principal, envScope }: Caller,
  jobIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const access = jobAccess(principal, envScope);
  const jobs = await Promise.all(jobIds.map((jobId) => readJob(store, access, jobId)));
  const freed = jobs.filter(({ status, had_effect: hadEffect }) => freesKey({ status, hadEffect }));
  return new Set(freed.map(({ job_id: jobId }) => jobId));
}
