import { isChangguError, isEndState, type Job, type JobHandle } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';
import { stateText } from '../run/job-envelope.ts';
import { HiddenJobError, handleOf, readVisibleJob } from '../run/visible-job.ts';
import { waitForJob } from '../run/wait-for-job.ts';
import type { TaskSource, TaskView } from './tasks.ts';
import { toolResult } from './tool-result.ts';

/** The shortest time for which an operator may keep jobs: how long this one does, the bridge cannot know. */
const TTL_MS = 24 * 3_600_000;
/** How long a question about a task waits for news. */
const HOLD_MS = 10_000;
/** Between two questions, as the waiting is done within them. */
const POLL_MS = 500;
const SILENT = { report: () => undefined };

/**
 * The jobs of the service as tasks: a task's id is its job's, so it outlives this process. A job never asks for input:
 * what a person has to agree to is asked before the job exists.
 */
export function jobTasks(bridge: Bridge): TaskSource {
  const { jobs } = bridge.client;
  const isKnown = async (taskId: string) =>
    (await readVisibleJob(bridge, taskId).catch(nullIfUnknown)) !== null;
  return {
    async read(taskId, signal) {
      const found = await firstReading(bridge, taskId, signal).catch(nullIfUnknown);
      if (!found || !bridge.sees(found.job.action)) return null;
      const { handle, job } = found;
      if (job.status === 'CANCELED') return taskOf(job, 'cancelled');
      if (!isEndState(job.status)) return taskOf(job, 'working');
      const context = { progress: SILENT, signal };
      const wait = { action: undefined, waitSeconds: 5, context };
      const result = toolResult(await waitForJob(bridge, handle, wait));
      return { ...taskOf(job, 'completed'), result };
    },
    async update(taskId) {
      return isKnown(taskId);
    },
    async cancel(taskId) {
      if (!(await isKnown(taskId))) return false;
      try {
        await jobs.cancel(taskId);
      } catch (error) {
        if (isChangguError(error) && error.name === 'ConflictError') return true;
        return nullIfUnknown(error) !== null;
      }
      return true;
    },
  };
}

async function firstReading(bridge: Bridge, taskId: string, signal: AbortSignal) {
  const handle = handleOf(bridge, taskId);
  return { handle, job: await nextReading(handle, signal) };
}

/** The job as soon as the service tells of a change, or as it was after a while: who asks again asks at once. */
async function nextReading(handle: JobHandle, signal: AbortSignal): Promise<Job> {
  let latest = await handle.poll({ signal });
  if (isEndState(latest.status)) return latest;
  const heard = new AbortController();
  try {
    return await handle.wait({
      timeoutMs: HOLD_MS,
      signal: AbortSignal.any([signal, heard.signal]),
      onProgress(job) {
        latest = job;
        heard.abort();
      },
    });
  } catch (error) {
    const isOver = isChangguError(error) && ENDS_OF_WAITING.has(error.name);
    if (isOver && !signal.aborted) return latest;
    throw error;
  }
}

const ENDS_OF_WAITING: ReadonlySet<string> = new Set(['WaitTimeoutError', 'AbortError']);

/** A job as a task of that status. */
export function taskOf(job: Job, status: 'working' | 'completed' | 'cancelled'): TaskView {
  return {
    taskId: job.jobId,
    status,
    statusMessage: job.progressMessage ?? stateText(job.status),
    createdAt: job.submittedAt,
    lastUpdatedAt: job.finishedAt ?? job.startedAt ?? job.submittedAt,
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  };
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof HiddenJobError) return null;
  if (isChangguError(error) && error.name === 'NotFoundError') return null;
  throw error;
}
