import { type Job, type JobHandle, WaitTimeoutError } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { Unfinished } from '../../unfinished.ts';

/**
 * Waits for the end of one job with a progress line. Ending the wait never affects the job.
 * @throws Unfinished
 */
export async function waitForEnd(cli: Cli, job: JobHandle): Promise<Job> {
  const progress = await cli.progress();
  const ended = new AbortController();
  const show = (reading: Job) => progress.show(progressText(reading));
  try {
    if (progress.visible) readAtOnce(job, show, AbortSignal.any([cli.signal, ended.signal]));
    return await job.wait({ signal: cli.signal, timeoutMs: cli.timeoutMs, onProgress: show });
  } catch (error) {
    throw unfinishedWait(cli, [job], error);
  } finally {
    ended.abort();
    progress.clear();
  }
}

/**
 * A first state to show, because the wait itself reports only changes. It decides nothing, so a failure
 * here is left to the wait to report.
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

/** A wait that did not see the end: the jobs are still open, and these commands resume the wait. */
export function unfinishedWait(
  { signal, texts }: Cli,
  jobs: readonly Pick<JobHandle, 'id'>[],
  cause: unknown,
): Unfinished {
  const ids = jobs.map(({ id }) => id);
  const [first = ''] = ids;
  const { jobs: words } = texts;
  const say = signal.aborted
    ? words.stoppedWaiting
    : cause instanceof WaitTimeoutError
      ? words.waitTimedOut
      : words.stillOpen;
  return new Unfinished(cause, {
    facts: ids.length === 1 ? { job_id: first } : { job_ids: ids },
    notice: say(ids.join(' ')),
    commands: [
      ...(ids.length === 1 ? [`changgu jobs result ${first} --wait`] : []),
      `changgu jobs wait ${ids.join(' ')}`,
      `changgu jobs get ${first}`,
    ],
  });
}

export function progressText({ status, progress, progressMessage }: Job): string {
  return [status, progress === null ? null : `${progress}%`, progressMessage]
    .filter(Boolean)
    .join(' ');
}
