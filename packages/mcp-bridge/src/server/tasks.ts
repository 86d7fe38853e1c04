import { isChangguError, isEndState, type Job } from '@changgu/sdk';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Bridge } from '../bridge.ts';
import { waitForJob } from '../run/wait-for-job.ts';
import { toolResult } from './tool-result.ts';

/**
 * The tasks extension (io.modelcontextprotocol/tasks, SEP-2663): a task is a job of the service and its id the job's,
 * so it outlives this process. A job never asks for input, so there is no tasks/update: what a person has to agree to
 * is asked before the job exists.
 */
export const taskMethods = { params: z.looseObject({ taskId: z.string() }) };

/** Results are kept for 30 days (D14). */
const TTL_MS = 30 * 24 * 3_600_000;
const DEFAULT_POLL_MS = 3_000;
const SILENT = { report: () => undefined };

/** The answer to a call whose job goes on. */
export function taskStarted(job: Job): CallToolResult {
  // The library types a call's answer as a tool result, and passes a task's on (anchors: trap 13).
  return { ...taskOf(job, 'working'), resultType: 'task', content: [] };
}

/** @throws ProtocolError for an unknown task */
export async function readTask(
  bridge: Bridge,
  taskId: string,
  signal: AbortSignal,
): Promise<Result> {
  const handle = bridge.client.jobs.resume(taskId);
  const job = await handle.poll({ signal }).catch(unknownTask);
  if (job.status === 'CANCELED') return { ...taskOf(job, 'cancelled') };
  if (!isEndState(job.status)) return { ...taskOf(job, 'working') };
  const context = { progress: SILENT, signal };
  const envelope = await waitForJob(bridge, handle, { action: undefined, waitSeconds: 5, context });
  return { ...taskOf(job, 'completed'), result: toolResult(envelope) };
}

/** Asks for the end; what has ended already, or cannot be cancelled, stays as it is. */
export async function cancelTask(bridge: Bridge, taskId: string): Promise<Result> {
  await bridge.client.jobs.cancel(taskId).catch((error: unknown) => {
    if (isChangguError(error) && error.name === 'ConflictError') return;
    unknownTask(error);
  });
  return {};
}

function taskOf(job: Job, status: 'working' | 'completed' | 'cancelled') {
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

function unknownTask(error: unknown): never {
  if (isChangguError(error) && error.name === 'NotFoundError') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task');
  }
  throw error;
}
