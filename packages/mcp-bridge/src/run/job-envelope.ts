import { isChangguError, type Job, type JobResult } from '@changgu/sdk';
import {
  type CatalogueAction,
  markUntrusted,
  type ResultView,
  viewData,
} from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import { RESULT_BUDGET } from '../results/budget.ts';
import type { Envelope, SavedFile } from '../results/envelope.ts';
import { type Explained, explainFailure } from '../results/explain-error.ts';
import { shownText } from '../results/untrusted-text.ts';

/** How a job is shown. */
export interface JobView {
  readonly action: CatalogueAction | undefined;
  readonly accountLinkId?: string | undefined;
  /** How much of the data is shown, and in which form. */
  readonly data?: ResultView | undefined;
  /** Characters of JSON for the data. */
  readonly budget?: number | undefined;
  /** Whether files are fetched to this machine. */
  readonly saveFiles: boolean;
}

/** A call that failed without a job. */
export function failedEnvelope(bridge: Bridge, explained: Explained, service?: string): Envelope {
  return {
    status: 'REFUSED',
    ...(service === undefined ? {} : { service }),
    as_of: timestamp(bridge.clock),
    ...shown(explained),
  };
}

/** A job that has not ended, with the call that continues it. */
export function runningJob(
  bridge: Bridge,
  { jobId, status, progress, progressMessage, retryAfterSeconds }: Job,
  service: string,
): Envelope {
  return {
    status,
    job_id: jobId,
    service,
    as_of: timestamp(bridge.clock),
    progress: {
      ...(progress === null ? {} : { percent: progress }),
      ...(progressMessage === null ? {} : { message: progressMessage }),
      ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
    },
    next: [
      { tool: 'job_result', arguments: { job_id: jobId }, why: 'waits for the same job again' },
    ],
  };
}

const CANCELED = { code: 'JOB_CANCELED', retryable: true, message: null };

/** A job that ended without a result. */
export function failedJob(
  bridge: Bridge,
  { jobId, status, action, error, hadEffect }: Job,
  view: Pick<JobView, 'action' | 'accountLinkId'>,
): Envelope {
  const failure = status === 'CANCELED' ? CANCELED : error;
  if (hadEffect === 'no') bridge.keys.forgetJob(jobId);
  const login = view.action?.loginAction;
  const explained = explainFailure(bridge, failure, hadEffect, view);
  if (login && explained.kind === 'login') bridge.keys.forgetLogin(login);
  return {
    status,
    job_id: jobId,
    service: action,
    as_of: timestamp(bridge.clock),
    had_effect: hadEffect,
    ...shown(explained),
  };
}

const PLAY = 'Sandbox: this is mock data, no institution was contacted.';

/** A job that succeeded, its rows from `cursor` on. */
export async function succeededJob(
  bridge: Bridge,
  result: JobResult,
  service: string,
  view: JobView,
  signal: AbortSignal,
): Promise<Envelope> {
  const { action, data: wanted = {}, budget = RESULT_BUDGET } = view;
  const data = result.sandbox
    ? result.data
    : markUntrusted(result.data, action?.result, (text) => shownText(text, bridge.settings));
  const { nextCursor, notes, data: part } = viewData(data, wanted, budget);
  const { files, problem } = await filesOf(bridge, result, view.saveFiles, signal);
  const warnings = [
    ...(result.sandbox ? [PLAY] : []),
    ...notes,
    ...(problem === null ? [] : [problem]),
  ];
  const { jobId } = result;
  const more = { tool: 'job_result', arguments: { job_id: jobId, ...wanted, cursor: nextCursor } };
  return {
    status: 'SUCCEEDED',
    job_id: jobId,
    service,
    as_of: result.finishedAt,
    ...(part === null || part === undefined ? {} : { data: part }),
    ...(files.length === 0 ? {} : { files }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(nextCursor === null ? {} : { next: [{ ...more, why: 'further rows' }] }),
  };
}

async function filesOf(
  { files, log }: Bridge,
  result: JobResult,
  save: boolean,
  signal: AbortSignal,
): Promise<{ files: readonly SavedFile[]; problem: string | null }> {
  if (!save) return { files: files.list(result), problem: null };
  try {
    return { files: await files.save(result, signal), problem: null };
  } catch (error) {
    const code = isChangguError(error) ? error.code : 'NOT_SAVED';
    log.warn('a file was not saved', { job_id: result.jobId, code });
    return {
      files: files.list(result),
      problem: `The files could not be saved (${code}); call job_result to try again.`,
    };
  }
}

function shown({ error, next }: Explained): Pick<Envelope, 'error' | 'next'> {
  return next.length === 0 ? { error } : { error, next };
}
