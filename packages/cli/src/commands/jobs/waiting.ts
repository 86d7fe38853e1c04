import {
  type Job,
  type JobHandle,
  NotFoundError,
  TimeoutError,
  WaitTimeoutError,
} from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { checkJobId } from '../../input/job-id.ts';
import { onContactChange } from '../../output/contact.ts';
import type { ProgressLine } from '../../output/progress-line.ts';
import type { Reader } from '../../reader.ts';
import { Unfinished } from '../../unfinished.ts';

/**
 * The job of this id. The client would take anything else for a stored submission.
 * @throws usage error for what is not an id
 */
export function jobOf(cli: Cli, { jobs }: Reader, id: string): JobHandle {
  checkJobId(cli, id);
  return jobs.resume(id);
}

/**
 * Waits for the end of one job with a progress line. Ending the wait never affects the job.
 * @throws Unfinished
 */
export async function waitForEnd(cli: Cli, job: JobHandle): Promise<Job> {
  const progress = await cli.progress();
  const ended = new AbortController();
  const show = (reading: Job) => progress.show(progressText(reading));
  const endContact = onContactChange(cli, { lost: () => progress.show(cli.texts.jobs.noAnswer) });
  try {
    if (needsFirstState(cli, progress)) {
      readAtOnce(job, show, AbortSignal.any([cli.signal, ended.signal]));
    }
    return await job.wait({ signal: cli.signal, timeoutMs: cli.timeoutMs, onProgress: show });
  } catch (error) {
    throw unfinishedWait(cli, isUnknown(error) ? { unknown: [job] } : { open: [job] }, error);
  } finally {
    ended.abort();
    endContact();
    progress.clear();
  }
}

/** The wait itself may not hear of an open job before the time is up. */
export function needsFirstState({ timeoutMs }: Cli, { visible }: ProgressLine): boolean {
  return visible || timeoutMs !== undefined;
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

/** There is no job of this id, whatever becomes of the others. An answer of something else on the way says nothing. */
export function isUnknown(error: unknown): boolean {
  return error instanceof NotFoundError && error.code === 'JOB_NOT_FOUND';
}

type Handles = readonly JobHandle[];

/** A wait that did not see the end: which jobs there are not, which are still open, and the commands that resume the wait. */
export function unfinishedWait(
  { signal, texts, timeoutMs = 0 }: Cli,
  { open = [], unknown = [] }: { readonly open?: Handles; readonly unknown?: Handles },
  failure: unknown,
): Unfinished {
  const { jobs: words } = texts;
  const isUnheard = open.every(({ status }) => status === null);
  // That the time was up says nothing of a job whose state was never read, and why it was not does.
  const cause =
    isUnheard && failure instanceof WaitTimeoutError
      ? (failure.cause ?? new TimeoutError('attempt', timeoutMs))
      : failure;
  const say = signal.aborted
    ? words.stoppedWaiting
    : isUnheard
      ? words.unheard
      : cause instanceof WaitTimeoutError
        ? words.waitTimedOut
        : words.stillOpen;
  const ids = open.map(({ id }) => id);
  const lost = unknown.map(({ id }) => id);
  const [first] = ids;
  const notices = [
    ...(lost.length > 0 ? [words.notFound(lost.join(' '))] : []),
    ...(first === undefined ? [] : [say(ids.join(' '))]),
  ];
  return new Unfinished(cause, {
    facts: {
      ...(ids.length > 1 ? { job_ids: ids } : { job_id: first }),
      not_found: lost.length > 0 ? lost : undefined,
    },
    notice: notices.join('. '),
    commands:
      first === undefined
        ? []
        : [
            ...(ids.length === 1 ? [`changgu jobs result ${first} --wait`] : []),
            `changgu jobs wait ${ids.join(' ')}`,
            `changgu jobs get ${first}`,
          ],
  });
}

export function progressText({ status, progress, progressMessage }: Job): string {
  return [status, typeof progress === 'number' ? `${progress}%` : null, progressMessage]
    .filter(Boolean)
    .join(' ');
}
