import { isEndState } from '@changgu/contract';
import type { JobReadResponse } from '@changgu/contract/schemas';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { mayRunAction } from '../rules/principals/allowed-action.ts';
import type { Principal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { SubmissionRules } from '../rules/submission/submission.ts';
import type { Store } from '../store/database.ts';
import { jobView } from './job-view.ts';
import { readJob } from './read.ts';

export interface Cancellation {
  /** False while the worker still has to end it: 202 instead of 200. */
  readonly done: boolean;
  readonly job: JobReadResponse;
}

/**
 * POST /v1/jobs/{job_id}/cancel.
 * @throws ServiceError JOB_NOT_FOUND, JOB_ALREADY_FINISHED, JOB_NOT_CANCELABLE
 */
export async function cancelJob(
  store: Pick<Store, 'jobs'>,
  access: JobAccess,
  jobId: string,
  actor?: Actor,
): Promise<Cancellation> {
  const job = await store.jobs.cancel({ access, jobId, actor });
  return { done: isEndState(job.status), job: jobView(job) };
}

/**
 * A key that may not run an action may not stop it either.
 * @throws ServiceError POLICY_TOOL_NOT_ALLOWED, JOB_NOT_FOUND
 */
export async function assertMayCancel(
  { store, rules }: { readonly store: Pick<Store, 'jobs'>; readonly rules: ActionFinder },
  principal: Principal,
  access: JobAccess,
  jobId: string,
): Promise<void> {
  if (principal.kind !== 'client' || !principal.readOnly) return;
  const { action } = await readJob(store, access, jobId);
  const found = rules.findAction(action);
  if (found && !mayRunAction(principal, found)) throw new ServiceError('POLICY_TOOL_NOT_ALLOWED');
}

type ActionFinder = Pick<SubmissionRules, 'findAction'>;
