import { type Job, type JobHandle, WaitTimeoutError } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { JOB } from './shapes.ts';
import { progressText, readAtOnce, tellHowToGoOn } from './waiting.ts';

export interface WaitOptions {
  readonly failFast?: true | undefined;
}

/** 0 when all succeeded, 3 when one ended otherwise, 8 when one is still open. */
export async function wait(
  cli: Cli,
  ids: readonly string[],
  { failFast }: WaitOptions,
): Promise<ExitCode> {
  const client = await cli.client();
  const handles = [...new Set(ids)].map((id) => client.jobs.resume(id));
  const stop = new AbortController();
  const ended: Job[] = [];
  const progress = cli.progress();
  let open: unknown = null;

  const show = (reading: Job) => {
    const { length } = handles;
    const counted = cli.texts.jobs.waitingFor(length - ended.length, length);
    progress.show(length === 1 ? progressText(reading) : counted);
  };
  const waitForOne = async (job: JobHandle) => {
    const signal = AbortSignal.any([cli.signal, stop.signal]);
    if (progress.visible) readAtOnce(job, show, signal);
    const last = await job.wait({
      signal,
      timeoutMs: cli.globals.timeout,
      onProgress: show,
    });
    ended.push(last);
    if (failFast && last.status !== 'SUCCEEDED') stop.abort();
  };
  try {
    await Promise.all(
      handles.map((job) =>
        waitForOne(job).catch((error: unknown) => {
          if (error instanceof WaitTimeoutError) open = error;
          else if (!stop.signal.aborted || cli.signal.aborted) {
            stop.abort();
            throw error;
          }
        }),
      ),
    );
  } catch (error) {
    progress.clear();
    await tellHowToGoOn(cli, handles, error);
    throw error;
  } finally {
    stop.abort();
    progress.clear();
  }
  await cli.output.list(ended, JOB);
  const unfinished = handles.filter(({ id }) => !ended.some(({ jobId }) => jobId === id));
  if (open) await tellHowToGoOn(cli, unfinished, open);
  if (ended.some(({ status }) => status !== 'SUCCEEDED')) return EXIT.jobEnded;
  return open ? EXIT.stillOpen : EXIT.ok;
}
