import { type CatalogueAction, markUntrusted } from '@changgu/contract/catalogue';
import type { JobReadResponse, JobResult } from '@changgu/contract/schemas';
import { readResult } from '../jobs/result.ts';
import { jobAccess } from '../requests/access.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { jobErrorOf, type ToolJobError } from './tools/tool-errors.ts';
import { JOB_RESULT_TOOL } from './tools/tool-names.ts';

/** A call that reads a job later. */
export interface ResultToolCall {
  readonly name: string;
  readonly arguments: { readonly job_id: string };
}

/** Strictly what its status calls for (spec L396-402, R117). */
export type JobOutcome =
  | { readonly status: 'SUCCEEDED'; readonly result: JobResult }
  | { readonly status: 'FAILED' | 'TIMEOUT' | 'CANCELED'; readonly error: ToolJobError }
  | { readonly status: 'QUEUED' | 'RUNNING'; readonly result_tool_call: ResultToolCall };

/** What a tool says of a job in the state that it is in. */
export async function jobOutcome(
  { results, submissions }: Pick<McpDependencies, 'results' | 'submissions'>,
  { principal, envScope, language }: Caller,
  job: Pick<JobReadResponse, 'job_id' | 'status' | 'action' | 'error' | 'had_effect'>,
): Promise<JobOutcome> {
  const { job_id: jobId, status } = job;
  const action = submissions.rules.findAction(job.action);
  switch (status) {
    case 'SUCCEEDED': {
      const { result } = await readResult(results, jobAccess(principal, envScope), jobId);
      return { status, result: forModels(result, action) };
    }
    case 'FAILED':
    case 'TIMEOUT':
    case 'CANCELED':
      return { status, error: jobErrorOf(job, action, language) };
    case 'QUEUED':
    case 'RUNNING':
      return { status, result_tool_call: resultToolCall(jobId) };
  }
}

export function resultToolCall(jobId: string): ResultToolCall {
  return { name: JOB_RESULT_TOOL, arguments: { job_id: jobId } };
}

function forModels(result: JobResult, action: CatalogueAction | undefined): JobResult {
  if (!result.data || isEcho(result.data)) return result;
  // Marking an object changes what is in it and leaves it an object.
  const data = markUntrusted(result.data, action?.result) as Record<string, unknown>;
  return { ...result, data };
}

/** What a sandbox job gives back is the caller's own. */
function isEcho(data: Readonly<Record<string, unknown>>): boolean {
  return data.mock === true && 'params_echo' in data;
}
