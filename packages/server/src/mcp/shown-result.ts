import type { EnvScope } from '@changgu/contract';
import {
  type CatalogueAction,
  markUntrusted,
  maskNumbers,
  type ResultView,
  shownFileName,
  shownMediaType,
  viewData,
} from '@changgu/contract/catalogue';
import type { JobResult } from '@changgu/contract/schemas';
import { JOB_RESULT_TOOL } from './tools/tool-names.ts';

/** A call that reads a job later. */
export interface ResultToolCall {
  readonly name: string;
  readonly arguments: { readonly job_id: string } & ResultView;
}

/** A result for a model; what was left out of it, and the call that returns that. */
export interface ShownResult {
  readonly result: JobResult;
  readonly notes?: readonly string[];
  readonly next_page?: { readonly tool_call: ResultToolCall };
}

interface ResultContext {
  readonly jobId: string;
  readonly envScope: EnvScope;
  readonly action: CatalogueAction | undefined;
  readonly view: ResultView;
  /** Tokens for the data. */
  readonly budget: number;
}

export function shownResult(
  result: JobResult,
  { jobId, envScope, action, view, budget }: ResultContext,
): ShownResult {
  const artifacts = result.artifacts.map((artifact, index) => ({
    ...artifact,
    ...shownFileName(artifact.name, index + 1, action, maskNumbers),
    content_type: artifact.content_type && shownMediaType(artifact.content_type),
  }));
  if (!result.data) return { result: { ...result, artifacts } };
  // Sandbox echoes the caller's own input; elsewhere an institution may claim to.
  const marked =
    envScope === 'sandbox' ? result.data : markUntrusted(result.data, action?.result, maskNumbers);
  const { data, nextCursor, notes } = viewData(marked, view, budget);
  return {
    // A view of an object is an object.
    result: { ...result, data: data as Record<string, unknown>, artifacts },
    ...(notes.length === 0 ? {} : { notes }),
    ...(nextCursor === null ? {} : { next_page: { tool_call: pageCall(jobId, view, nextCursor) } }),
  };
}

function pageCall(jobId: string, view: ResultView, cursor: number): ResultToolCall {
  return { name: JOB_RESULT_TOOL, arguments: { ...view, job_id: jobId, cursor } };
}
