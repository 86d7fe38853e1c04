import type { Effect } from '@changgu/contract';
import {
  type CatalogueAction,
  markUntrusted,
  maskNumbers,
  RESULT_BUDGET,
  type ResultView,
  shownFileName,
  viewData,
} from '@changgu/contract/catalogue';
import type { JobReadResponse, JobResult } from '@changgu/contract/schemas';
import { readResult } from '../jobs/result.ts';
import { jobAccess } from '../requests/access.ts';
import type { Language } from '../requests/language.ts';
import { progressIn } from '../rules/jobs/progress-texts.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { rejectedCredential } from './rejected-credential.ts';
import { callInWords } from './tools/listed-tools.ts';
import { type ToolJobError, toolJobErrorOf } from './tools/tool-errors.ts';
import { JOB_RESULT_TOOL } from './tools/tool-names.ts';

/** A call that reads a job later. */
export interface ResultToolCall {
  readonly name: string;
  readonly arguments: { readonly job_id: string } & ResultView;
}

/** A job as read. */
export type KnownJob = Pick<
  JobReadResponse,
  'job_id' | 'status' | 'action' | 'error' | 'had_effect'
> &
  Partial<Pick<JobReadResponse, 'progress' | 'progress_message' | 'retry_after_seconds'>>;

/** Exactly what its status calls for. */
export type JobOutcome =
  | ({ readonly status: 'SUCCEEDED'; readonly result: JobResult } & ShownPart)
  | {
      readonly status: 'FAILED' | 'TIMEOUT' | 'CANCELED';
      readonly error: ToolJobError;
      readonly had_effect?: Effect;
    }
  | {
      readonly status: 'QUEUED' | 'RUNNING';
      readonly result_tool_call: ResultToolCall;
      readonly progress?: JobProgress;
    };

/** The omitted part of a result, and the call that returns it. */
interface ShownPart {
  readonly notes?: readonly string[];
  readonly next_page?: { readonly tool_call: ResultToolCall };
}

interface JobProgress {
  readonly percent: number | null;
  readonly message: string;
  readonly retry_after_seconds: number;
}

export type OutcomeDependencies = Pick<
  McpDependencies,
  'store' | 'results' | 'submissions' | 'institutions' | 'consoleOrigin'
>;

/** What a tool says about a job in its current state. */
export async function jobOutcome(
  dependencies: OutcomeDependencies,
  caller: Caller,
  job: KnownJob,
  view: ResultView = {},
  budget = RESULT_BUDGET,
): Promise<JobOutcome> {
  const { results, submissions } = dependencies;
  const { principal, envScope, language } = caller;
  const { job_id: jobId, status } = job;
  const action = submissions.rules.findAction(job.action);
  switch (status) {
    case 'SUCCEEDED': {
      const { result } = await readResult(results, jobAccess(principal, envScope), jobId);
      return { status, ...forModels(jobId, result, action, view, budget) };
    }
    case 'FAILED':
    case 'TIMEOUT':
    case 'CANCELED':
      return {
        status,
        // The failure of a read never had an effect.
        ...(action?.irreversible ? { had_effect: job.had_effect } : {}),
        error: {
          ...toolJobErrorOf(job, action, language, loginCallOf(dependencies, caller, action)),
          ...(await rejectedCredential(dependencies, caller, job)),
        },
      };
    case 'QUEUED':
    case 'RUNNING':
      return {
        status,
        progress: progressOf(job, language),
        result_tool_call: resultToolCall(jobId),
      };
  }
}

function loginCallOf(
  { institutions }: Pick<OutcomeDependencies, 'institutions'>,
  caller: Caller,
  action: CatalogueAction | undefined,
): string | null {
  const login = action?.loginAction ?? null;
  return login === null ? null : callInWords(institutions, caller, login);
}

export function resultToolCall(jobId: string): ResultToolCall {
  return { name: JOB_RESULT_TOOL, arguments: { job_id: jobId } };
}

/** How far a job is and when to read it again, also where the job itself does not say. */
function progressOf(job: KnownJob, language: Language): JobProgress {
  const { progress = null, progress_message: message = null, retry_after_seconds = null } = job;
  return {
    percent: progress,
    message:
      message === null
        ? WAITS[job.status === 'QUEUED' ? 'QUEUED' : 'RUNNING'][language]
        : progressIn(language, message),
    retry_after_seconds: retry_after_seconds ?? RETRY_SECONDS,
  };
}

const WAITS = {
  QUEUED: { ko: '차례를 기다리고 있습니다.', en: 'The job is waiting for its turn.' },
  RUNNING: { ko: '기관에서 처리하고 있습니다.', en: 'The institution is processing it.' },
} as const;

const RETRY_SECONDS = 2;

function forModels(
  jobId: string,
  result: JobResult,
  action: CatalogueAction | undefined,
  view: ResultView,
  budget: number,
): { readonly result: JobResult } & ShownPart {
  const artifacts = result.artifacts.map((artifact, index) => ({
    ...artifact,
    ...shownFileName(artifact.name, index + 1, action, maskNumbers),
  }));
  if (!result.data) return { result: { ...result, artifacts } };
  const marked = isEcho(result.data)
    ? result.data
    : markUntrusted(result.data, action?.result, maskNumbers);
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

/** The result of a sandbox job is the caller's own input. */
function isEcho(data: Readonly<Record<string, unknown>>): boolean {
  return data.mock === true && 'params_echo' in data;
}
