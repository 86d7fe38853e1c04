import type { Effect } from '@changgu/contract';
import { type CatalogueAction, RESULT_BUDGET, type ResultView } from '@changgu/contract/catalogue';
import type { JobReadResponse } from '@changgu/contract/schemas';
import { readResult } from '../jobs/result.ts';
import { jobAccess } from '../requests/access.ts';
import type { Language } from '../requests/language.ts';
import { progressIn } from '../rules/jobs/progress-texts.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { rejectedCredential } from './rejected-credential.ts';
import { type ResultToolCall, type ShownResult, shownResult } from './shown-result.ts';
import { callInWords } from './tools/listed-tools.ts';
import { type ToolJobError, toolJobErrorOf } from './tools/tool-errors.ts';
import { JOB_RESULT_TOOL } from './tools/tool-names.ts';

/** A job as read. */
export type KnownJob = Pick<
  JobReadResponse,
  'job_id' | 'status' | 'action' | 'error' | 'had_effect'
> &
  Partial<Pick<JobReadResponse, 'progress' | 'progress_message' | 'retry_after_seconds'>>;

/** Exactly what its status calls for. */
export type JobOutcome =
  | ({ readonly status: 'SUCCEEDED' } & ShownResult)
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
      return { status, ...shownResult(result, { jobId, envScope, action, view, budget }) };
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
