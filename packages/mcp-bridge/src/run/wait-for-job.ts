import { isChangguError, isEndState, type Job, type JobHandle } from '@changgu/sdk';
import type { CatalogueAction, ResultView } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { every } from '../clock.ts';
import type { Envelope } from '../results/envelope.ts';
import type { ToolContext } from '../tools/tool.ts';
import { failedJob, runningJob, succeededJob } from './job-envelope.ts';
import { rejectedCredential } from './rejected-credential.ts';
import { HiddenJobError } from './visible-job.ts';

export interface JobWait {
  readonly action: CatalogueAction | undefined;
  readonly accountLinkId?: string | undefined;
  readonly data?: ResultView | undefined;
  readonly waitSeconds: number;
  readonly context: Pick<ToolContext, 'progress' | 'signal'>;
}

/** A heartbeat for hosts that limit silence. */
const HEARTBEAT_MS = 5_000;
/** Reserved for reading the result and saving its files. */
const READ_LIMIT_MS = 4_000;

/** Waits for a bounded time and answers with what the job is by then. The job itself continues. */
export async function waitForJob(
  bridge: Bridge,
  handle: JobHandle,
  wait: JobWait,
): Promise<Envelope> {
  const { context, waitSeconds } = wait;
  const job = await endOrLatest(bridge, handle, waitSeconds * 1000, context);
  if (!bridge.sees(job.action)) throw new HiddenJobError();
  const action = wait.action ?? bridge.offering.now.services.get(job.action);
  if (job.status === 'SUCCEEDED') {
    const limit = AbortSignal.any([context.signal, AbortSignal.timeout(READ_LIMIT_MS * 2)]);
    const result = await bridge.client.jobs.result(job.jobId, { totalTimeoutMs: READ_LIMIT_MS });
    const view = { ...wait, action, saveFiles: true };
    return succeededJob(bridge, result, job.action, view, limit);
  }
  if (!isEndState(job.status)) {
    return runningJob(bridge, job, job.action);
  }
  return failedJob(bridge, job, { ...wait, action }, await rejectedCredential(bridge, job, wait));
}

async function endOrLatest(
  { clock, sees }: Bridge,
  handle: JobHandle,
  timeoutMs: number,
  { progress, signal }: Pick<ToolContext, 'progress' | 'signal'>,
): Promise<Job> {
  let seen: Job | null = null;
  let latest = { percent: 0, message: `작업이 끝나기를 기다리고 있습니다: ${handle.id}` };
  const tell = () => progress.report(latest.percent, latest.message);
  const stopTelling = every(clock, HEARTBEAT_MS, tell);
  try {
    return await handle.wait({
      signal,
      timeoutMs,
      onProgress(job) {
        seen = job;
        if (!sees(job.action)) return;
        latest = {
          percent: job.progress ?? latest.percent,
          message: job.progressMessage ?? latest.message,
        };
        tell();
      },
    });
  } catch (error) {
    if (!isChangguError(error) || error.name !== 'WaitTimeoutError') throw error;
    return seen ?? (await handle.poll({ signal, totalTimeoutMs: READ_LIMIT_MS }));
  } finally {
    stopTelling();
  }
}
