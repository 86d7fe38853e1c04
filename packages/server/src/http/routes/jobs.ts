import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import { type JobReadResponse, operations } from '@changgu/contract/schemas';
import { assertMayCancel, cancelJob } from '../../jobs/cancel.ts';
import { inLanguage } from '../../jobs/job-view.ts';
import { listJobs } from '../../jobs/list.ts';
import { readJob } from '../../jobs/read.ts';
import { type ResultDependencies, readResult } from '../../jobs/result.ts';
import { type SubmitDependencies, submitJob, validateSubmission } from '../../jobs/submit.ts';
import { readTimeline } from '../../jobs/timeline.ts';
import type { JobWaits } from '../../jobs/wait.ts';
import { jobAccess } from '../../requests/access.ts';
import { submitterOf } from '../../requests/submitter.ts';
import { actorOf } from '../../rules/principals/actor.ts';
import type { SubmissionRequest } from '../../rules/submission/submission.ts';
import type { Store } from '../../store/database.ts';
import type { HttpApp } from '../app.ts';
import type { JobDeprecation } from '../deprecation.ts';
import { preferencesOf } from '../prefer.ts';
import { type OperationRequest, route } from '../route.ts';
import { sandboxOutcomeOf } from '../sandbox-outcome.ts';

export interface JobDependencies {
  readonly store: Store;
  readonly waits: Pick<JobWaits, 'waitForChange'>;
  readonly submissions: SubmitDependencies;
  readonly results: ResultDependencies;
  readonly institutions: readonly CatalogueInstitution[];
  readonly deprecationOf: JobDeprecation;
}

const { jobs } = operations;

/** Jobs: submit, read, wait, result, cancel, list, timeline. */
export function jobRoutes(app: HttpApp, dependencies: JobDependencies): void {
  const { store, waits, submissions, results, deprecationOf, institutions } = dependencies;

  route(app, jobs.submitJob, async (request) => {
    const submission = submissionOf(request);
    if (preferencesOf(request.headers.prefer).validateOnly) {
      const body = await validateSubmission(submissions, submission);
      return { status: 200, body, headers: { 'preference-applied': 'validate-only' } };
    }
    const { replayed, response } = await submitJob(submissions, submission);
    const deprecation = await deprecationOf(response.job_id);
    return replayed
      ? { status: 200, body: response, headers: { 'idempotent-replayed': 'true', ...deprecation } }
      : { status: 202, body: response, headers: deprecation };
  });

  route(app, jobs.readJob, async (request) => {
    const { principal, envScope, params, language } = request;
    const access = jobAccess(principal, envScope);
    const { wait } = preferencesOf(request.headers.prefer);
    // The signal is made when it is read, and costs more than the other parts of a request together.
    const job =
      wait === null
        ? await readJob(store, access, params.job_id)
        : await waits.waitForChange(access, params.job_id, {
            seconds: wait,
            signal: request.signal,
          });
    const deprecation = deprecationOf(params.job_id);
    const headers = deprecation instanceof Promise ? await deprecation : deprecation;
    if (job.retry_after_seconds !== null) headers['retry-after'] = job.retry_after_seconds;
    if (wait !== null) headers['preference-applied'] = 'wait';
    return { status: 200, body: inLanguage(job, language), headers };
  });

  route(app, jobs.readJobResult, async ({ principal, envScope, params }) => ({
    status: 200,
    body: await readResult(results, jobAccess(principal, envScope), params.job_id),
    headers: await deprecationOf(params.job_id),
  }));

  route(app, jobs.cancelJob, async ({ principal, envScope, params, origin, language }) => {
    const access = jobAccess(principal, envScope);
    await assertMayCancel({ store, rules: submissions.rules }, principal, access, params.job_id);
    const actor = actorOf(principal, origin);
    const { done, job } = await cancelJob(store, access, params.job_id, actor);
    const body = inLanguage(job, language);
    const deprecation = await deprecationOf(params.job_id);
    return done
      ? { status: 200, body, headers: deprecation }
      : { status: 202, body, headers: { ...retryAfter(job), ...deprecation } };
  });

  route(app, jobs.listJobs, async ({ principal, envScope, query, language }) => {
    const page = await listJobs(store, jobAccess(principal, envScope), query, { institutions });
    return {
      status: 200,
      body: { ...page, items: page.items.map((job) => inLanguage(job, language)) },
    };
  });

  route(app, jobs.readJobTimeline, async ({ principal, envScope, params, language }) => ({
    status: 200,
    body: await readTimeline(store, jobAccess(principal, envScope), params.job_id, language),
    headers: await deprecationOf(params.job_id),
  }));
}

type SubmitRequest = OperationRequest<typeof jobs.submitJob>;

function submissionOf(request: SubmitRequest): SubmissionRequest {
  const { principal, envScope, idempotencyKey, body, headers } = request;
  return {
    submitter: submitterOf(principal, request.origin),
    envScope,
    idempotencyKey,
    provider: body.provider,
    action: body.action,
    accountLinkId: body.account_link_id ?? null,
    params: body.params ?? {},
    encryptedFields: body.encrypted_fields ?? {},
    sandboxOutcome: sandboxOutcomeOf(headers),
  };
}

/** The body's advice, repeated where HTTP clients look for it. */
function retryAfter({ retry_after_seconds: seconds }: JobReadResponse): Record<string, number> {
  return seconds === null ? {} : { 'retry-after': seconds };
}
