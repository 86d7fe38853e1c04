import { type Job, type JobHandle, WaitTimeoutError } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';

/**
 * Waits for the end of one job with a line of progress. Stopping leaves the job alone and says how to go on.
 * @throws AbortedError, WaitTimeoutError after saying so
 */
export async function waitForEnd(cli: Cli, job: JobHandle): Promise<Job> {
  const progress = cli.progress();
  const ended = new AbortController();
  const show = (reading: Job) => progress.show(progressText(reading));
  try {
    if (progress.visible) readAtOnce(job, show, AbortSignal.any([cli.signal, ended.signal]));
    return await job.wait({
      signal: cli.signal,
      timeoutMs: cli.globals.timeout,
      onProgress: show,
    });
  } catch (error) {
    progress.clear();
    await tellHowToGoOn(cli, [job], error);
    throw error;
  } finally {
    ended.abort();
    progress.clear();
  }
}

/**
 * Something to look at: the first reading of a wait itself comes when something changes. It decides nothing, so what
 * fails here is the wait's to tell.
 */
export function readAtOnce(
  job: JobHandle,
  show: (reading: Job) => void,
  signal: AbortSignal,
): void {
  job.poll({ signal }).then(
    (reading) => {
      if (!signal.aborted) show(reading);
    },
    () => {},
  );
}

/** Says how to go on after a wait that did not see the end. */
export async function tellHowToGoOn(
  { signal, notes, texts }: Cli,
  jobs: readonly JobHandle[],
  error: unknown,
): Promise<void> {
  const ids = jobs.map(({ id }) => id).join(' ');
  const commands = [
    `changgu jobs wait ${ids}`,
    `changgu jobs get ${jobs[0]?.id ?? ''}`,
    `changgu jobs result ${jobs[0]?.id ?? ''} --wait`,
  ];
  if (signal.aborted) await notes.next(texts.jobs.goesOn(ids), commands);
  else if (error instanceof WaitTimeoutError) await notes.next(texts.jobs.readResult, commands);
}

export function progressText({ status, progress, progressMessage }: Job): string {
  return [status, progress === null ? null : `${progress}%`, progressMessage]
    .filter(Boolean)
    .join(' ');
}
