import { isChangguError, isEndState, type Job } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';
import { waitForJob } from '../run/wait-for-job.ts';
import type { TaskSource, TaskView } from './tasks.ts';
import { toolResult } from './tool-result.ts';

/** Results are kept for 30 days (D14). */
const TTL_MS = 30 * 24 * 3_600_000;
const DEFAULT_POLL_MS = 3_000;
const SILENT = { report: () => undefined };

/**
 * The jobs of the service as tasks: a task's id is its job's, so it outlives this process. A job never asks for input:
 * what a person has to agree to is asked before the job exists.
 */
export function jobTasks(bridge: Bridge): TaskSource {
  const { jobs } = bridge.client;
  return {
    async read(taskId, signal) {
      const handle = jobs.resume(taskId);
      const job = await handle.poll({ signal }).catch(nullIfUnknown);
      if (!job) return null;
      if (job.status === 'CANCELED') return taskOf(job, 'cancelled');
      if (!isEndState(job.status)) return taskOf(job, 'working');
      const context = { progress: SILENT, signal };
      const wait = { action: undefined, waitSeconds: 5, context };
      const result = toolResult(await waitForJob(bridge, handle, wait));
      return { ...taskOf(job, 'completed'), result };
    },
    async update(taskId) {
      return (await jobs.resume(taskId).poll().catch(nullIfUnknown)) !== null;
    },
    async cancel(taskId) {
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

/** A job as a task of that status. */
export function taskOf(job: Job, status: 'working' | 'completed' | 'cancelled'): TaskView {
  return {
    taskId: job.jobId,
    status,
    ...(job.progressMessage === null ? {} : { statusMessage: job.progressMessage }),
    createdAt: job.submittedAt,
    lastUpdatedAt: job.finishedAt ?? job.startedAt ?? job.submittedAt,
    ttlMs: TTL_MS,
    pollIntervalMs: job.retryAfterSeconds === null ? DEFAULT_POLL_MS : job.retryAfterSeconds * 1000,
  };
}

function nullIfUnknown(error: unknown): null {
  if (isChangguError(error) && error.name === 'NotFoundError') return null;
  throw error;
}
