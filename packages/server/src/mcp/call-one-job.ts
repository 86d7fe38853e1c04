import { isEndState } from '@changgu/contract';
import { type CatalogueAction, jobFileUri, type ResultView } from '@changgu/contract/catalogue';
import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server';
import { inLanguage } from '../jobs/job-view.ts';
import { readJob } from '../jobs/read.ts';
import { jobAccess } from '../requests/access.ts';
import { submitterOf } from '../requests/submitter.ts';
import type { SubmissionRequest } from '../rules/submission/submission.ts';
import { nextChange, type Patience } from './await-jobs.ts';
import { type Caller, isStillAdmitted, knownFailure } from './caller.ts';
import { type JobOutcome, jobOutcome, type KnownJob } from './job-outcome.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { playNote } from './play-note.ts';
import type { Progress } from './progress-notifications.ts';
import { submitRun } from './submit-run.ts';
import type { ToolCall } from './tools/arguments.ts';
import { toolResult } from './tools/tool-result.ts';

/** The context of a waiting call. */
export interface Waiting {
  readonly progress: Progress;
  readonly patience: Patience;
}

/**
 * Submits one job and waits for its end.
 * @throws ServiceError when it was not submitted
 */
export async function callOneJob(
  dependencies: McpDependencies,
  caller: Caller,
  action: CatalogueAction,
  call: ToolCall,
  waiting: Waiting,
): Promise<CallToolResult> {
  const request: SubmissionRequest = {
    submitter: submitterOf(caller.principal, caller.origin),
    envScope: caller.envScope,
    idempotencyKey: call.idempotencyKey,
    provider: action.provider,
    action: action.id,
    accountLinkId: call.accountLinkId,
    params: call.params,
    encryptedFields: call.encryptedFields,
    sandboxOutcome: caller.sandboxOutcome,
  };
  const response = await submitRun(dependencies, caller, request, call);
  return waitForJob(
    dependencies,
    caller,
    { ...response, error: null, had_effect: 'no' },
    call.view,
    waiting,
  );
}

/**
 * Waits for the end of an existing job.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function callJobResult(
  dependencies: McpDependencies,
  caller: Caller,
  jobId: string,
  view: ResultView,
  waiting: Waiting,
): Promise<CallToolResult> {
  const access = jobAccess(caller.principal, caller.envScope);
  const job = await readJob(dependencies.store, access, jobId);
  return waitForJob(dependencies, caller, job, view, waiting);
}

async function waitForJob(
  dependencies: McpDependencies,
  caller: Caller,
  known: KnownJob,
  view: ResultView,
  { progress, patience }: Waiting,
): Promise<CallToolResult> {
  const access = jobAccess(caller.principal, caller.envScope);
  await progress.report(0, 100, ACCEPTED[caller.language](known.job_id));
  let job: KnownJob = isEndState(known.status)
    ? await readJob(dependencies.store, access, known.job_id)
    : known;
  while (!isEndState(job.status) && patience.left() > 0) {
    const { stopped } = patience;
    const change = nextChange(dependencies.waits, access, [job.job_id], {
      ms: patience.left(),
      stopped,
    });
    // What can no longer be watched is under way all the same.
    const [next] = await change.catch((failure: unknown) => {
      knownFailure(caller, failure);
      return [];
    });
    if (next === undefined) break;
    // Whoever is no longer admitted, as with a revoked key, learns which job there is, but not what becomes of it.
    if (!(await isStillAdmitted(caller))) {
      job = known;
      break;
    }
    job = next;
    const { progress_message: step } = inLanguage(next, caller.language);
    await progress.report(next.progress ?? 100, 100, step ?? ENDED[caller.language]);
  }
  const outcome = await jobOutcome(dependencies, caller, job, view).catch((failure: unknown) => {
    if (isEndState(known.status)) throw failure;
    // A refusal would hide that there is a job.
    knownFailure(caller, failure);
    return jobOutcome(dependencies, caller, known);
  });
  const errorText = 'error' in outcome ? outcome.error.message : null;
  const body = { job_id: job.job_id, ...outcome, ...playNote(caller) };
  return toolResult(body, errorText, fileLinks(job.job_id, outcome));
}

/** For the person: a model gets the bytes only if its host is told to read them. */
function fileLinks(jobId: string, outcome: JobOutcome): ResourceLink[] {
  if (outcome.status !== 'SUCCEEDED') return [];
  return outcome.result.artifacts.flatMap(({ name, content_type, size_bytes, expired }, index) =>
    expired
      ? []
      : [
          {
            type: 'resource_link' as const,
            uri: jobFileUri(jobId, index + 1),
            name,
            annotations: { audience: ['user' as const] },
            ...(content_type === null ? {} : { mimeType: content_type }),
            ...(size_bytes === null ? {} : { size: size_bytes }),
          },
        ],
  );
}

const ACCEPTED = {
  ko: (jobId: string) => `작업을 접수했습니다. job_id: ${jobId}`,
  en: (jobId: string) => `The job was accepted. job_id: ${jobId}`,
};
const ENDED = { ko: '작업이 끝났습니다.', en: 'The job has ended.' };
