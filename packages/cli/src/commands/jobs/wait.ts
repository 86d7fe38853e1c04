import { type Job, type JobHandle, WaitTimeoutError } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { jobFailure } from '../../output/job-failure.ts';
import { JOB } from './shapes.ts';
import { progressText, readAtOnce, unfinishedWait } from './waiting.ts';

export interface WaitOptions {
  readonly failFast?: true | undefined;
}

/** 0 when all succeeded, 3 when one ended otherwise, 8 when one is still open. */
export const wait = reads<[ids: readonly string[], options: WaitOptions]>(
  JOB,
  async (cli, ids, { failFast = false }) => {
    const client = await cli.client();
    const handles = [...new Set(ids)].map((id) => client.jobs.resume(id));
    const { ended, failure } = await waitForAll(cli, handles, failFast);
    const open = handles.filter(({ id }) => !ended.some(({ jobId }) => jobId === id));
    if (failure && !(failure instanceof WaitTimeoutError)) throw unfinishedWait(cli, open, failure);
    await cli.output.list(ended, JOB);
    const failed = ended.filter(({ status }) => status !== 'SUCCEEDED');
    for (const job of failed) {
      const { message, hints } = jobFailure(job, cli.texts);
      await cli.notes.warn([message, ...hints].join('\n  '));
    }
    if (failure) throw unfinishedWait(cli, open, failure);
    return failed.length > 0 ? EXIT.jobEnded : EXIT.ok;
  },
);

interface Ends {
  readonly ended: Job[];
  /** What ended the wait for the others. */
  readonly failure: unknown;
}

async function waitForAll(
  cli: Cli,
  handles: readonly JobHandle[],
  failFast: boolean,
): Promise<Ends> {
  const stop = new AbortController();
  const signal = AbortSignal.any([cli.signal, stop.signal]);
  const progress = cli.progress();
  const ended: Job[] = [];
  let failure: unknown = null;
  const show = (reading: Job) => {
    const { length } = handles;
    const counted = cli.texts.jobs.waitingFor(length - ended.length, length);
    progress.show(length === 1 ? progressText(reading) : counted);
  };
  const waitForOne = async (job: JobHandle) => {
    if (progress.visible) readAtOnce(job, show, signal);
    const last = await job.wait({ signal, timeoutMs: cli.timeoutMs, onProgress: show });
    ended.push(last);
    if (failFast && last.status !== 'SUCCEEDED') stop.abort();
  };
  const fail = (error: unknown) => {
    // Failures after a stop are its consequence.
    if (stop.signal.aborted && !cli.signal.aborted) return;
    failure ??= error;
    if (!(error instanceof WaitTimeoutError)) stop.abort();
  };
  await Promise.all(handles.map((job) => waitForOne(job).catch(fail)));
  stop.abort();
  progress.clear();
  return { ended, failure };
}
