import { isChangguError, isEndState, type Job, type JobHandle, type JobResult } from '@changgu/sdk';
import {
  type CatalogueAction,
  freesKey,
  markUntrusted,
  RESULT_BUDGET,
  type ResultView,
  viewData,
} from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import type { Envelope, JobProgress, SavedFile } from '../results/envelope.ts';
import { type Explained, explainFailure } from '../results/explain-error.ts';
import { shownText } from '../results/untrusted-text.ts';

/** How a job is shown. */
export interface JobView {
  readonly action: CatalogueAction | undefined;
  readonly accountLinkId?: string | undefined;
  /** How much of the data is shown, and in what form. */
  readonly data?: ResultView | undefined;
  /** Tokens for the data. */
  readonly budget?: number | undefined;
  /** Whether files are downloaded to this machine. */
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

type RunningJob = Pick<
  Job,
  'jobId' | 'status' | 'progress' | 'progressMessage' | 'retryAfterSeconds'
>;

/** An unfinished job, with the call that continues it. */
export function runningJob(
  bridge: Bridge,
  { jobId, status, progress, progressMessage, retryAfterSeconds }: RunningJob,
  service: string,
): Envelope {
  return {
    status,
    job_id: jobId,
    service,
    as_of: timestamp(bridge.clock),
    progress: progressOf({ status, progress, progressMessage, retryAfterSeconds }),
    ...(bridge.settings.envScope === 'sandbox' ? { warnings: [PLAY] } : {}),
    next: [
      { tool: 'job_result', arguments: { job_id: jobId }, why: 'waits for the same job again' },
    ],
  };
}

const UNREAD = { progress: null, progressMessage: null, retryAfterSeconds: null };

/** An accepted job, as last seen before reading it failed: it may have taken effect, so the caller has to know it. */
export function unreadJob(
  bridge: Bridge,
  { id: jobId, status: seen }: Pick<JobHandle, 'id' | 'status'>,
  { error }: Explained,
  service: string,
): Envelope {
  const status = seen ?? 'QUEUED';
  const {
    progress,
    warnings = [],
    ...job
  } = runningJob(bridge, { ...UNREAD, jobId, status }, service);
  const warning = `The job was accepted, but could not be read: ${error.message} Do not submit it again.`;
  return {
    ...job,
    ...(isEndState(status) ? {} : { progress }),
    warnings: [...warnings, warning],
  };
}

/** The text for a job without a message of its own. */
const STATE_TEXTS: Readonly<Record<string, string>> = {
  QUEUED: '차례를 기다리고 있습니다.',
  RUNNING: '기관에서 처리하고 있습니다.',
  SUCCEEDED: '완료했습니다.',
  FAILED: '실패했습니다.',
  TIMEOUT: '시간을 초과했습니다.',
  CANCELED: '취소했습니다.',
};

export function stateText(status: string): string {
  return STATE_TEXTS[status] ?? status;
}

const RETRY_SECONDS = 2;

/** A job's progress: what is being waited for, and how long. */
export function progressOf({
  status,
  progress,
  progressMessage,
  retryAfterSeconds,
}: Pick<Job, 'status' | 'progress' | 'progressMessage' | 'retryAfterSeconds'>): JobProgress {
  return {
    ...(progress === null ? {} : { percent: progress }),
    message: progressMessage ?? stateText(status),
    retry_after_seconds: retryAfterSeconds ?? RETRY_SECONDS,
  };
}

/** In every answer of a job where institutions are played. */
export const PLAY = 'Sandbox: this is mock data, no institution was contacted.';

const CANCELED = { code: 'JOB_CANCELED', message: null };

/** A job that ended without a result. */
export function failedJob(
  bridge: Bridge,
  { jobId, status, action, error, hadEffect }: Job,
  view: Pick<JobView, 'action' | 'accountLinkId'>,
  userAction: string | null = null,
): Envelope {
  const retryable = view.action?.irreversible !== true;
  const failure = status === 'CANCELED' ? { ...CANCELED, retryable } : error;
  if (freesKey({ status, hadEffect })) bridge.keys.forgetJob(jobId);
  const login = view.action?.loginAction;
  const explained = withUserAction(explainFailure(bridge, failure, hadEffect, view), userAction);
  if (login && explained.kind === 'login') bridge.keys.forgetLogin(login);
  return {
    status,
    job_id: jobId,
    service: action,
    as_of: timestamp(bridge.clock),
    had_effect: hadEffect,
    ...(bridge.settings.envScope === 'sandbox' ? { warnings: [PLAY] } : {}),
    ...shown(explained),
  };
}

/** A job that succeeded, with its rows from `cursor` on. */
export async function succeededJob(
  bridge: Bridge,
  result: JobResult,
  service: string,
  view: JobView,
  signal: AbortSignal,
): Promise<Envelope> {
  const { action, data: wanted = {}, budget = RESULT_BUDGET } = view;
  // Sandbox echoes the caller's own input; elsewhere an institution may claim to.
  const sandbox = result.sandbox && bridge.settings.envScope === 'sandbox';
  const data = sandbox
    ? result.data
    : markUntrusted(result.data, action?.result, (text) => shownText(text, bridge.settings));
  const { nextCursor, notes, data: part } = viewData(data, wanted, budget);
  const { files, problem } = await filesOf(bridge, result, view, signal);
  const warnings = [...(sandbox ? [PLAY] : []), ...notes, ...(problem === null ? [] : [problem])];
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
  { action, saveFiles }: JobView,
  signal: AbortSignal,
): Promise<{ files: readonly SavedFile[]; problem: string | null }> {
  if (!saveFiles) return { files: files.list(result, action), problem: null };
  try {
    return { files: await files.save(result, action, signal), problem: null };
  } catch (error) {
    const code = reasonOf(error);
    log.warn('a file was not saved', { job_id: result.jobId, code });
    return {
      files: files.list(result, action),
      problem: `The files could not be saved (${code}); call job_result to try again.`,
    };
  }
}

/** The disk's own code says most, for example ENOSPC. */
function reasonOf(error: unknown): string {
  if (isChangguError(error))
    return 'systemCode' in error ? (error.systemCode ?? error.code) : error.code;
  const { code }: { code?: unknown } = Object(error);
  return typeof code === 'string' ? code : 'NOT_SAVED';
}

function withUserAction(explained: Explained, user_action: string | null): Explained {
  return user_action === null
    ? explained
    : { ...explained, error: { ...explained.error, user_action } };
}

function shown({ error, next }: Explained): Pick<Envelope, 'error' | 'next'> {
  return next.length === 0 ? { error } : { error, next };
}
