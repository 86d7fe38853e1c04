import { type Job, type JobHandle, type WaitOptions, WaitTimeoutError } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { jobFailure } from '../../output/job-failure.ts';
import { isUnknown } from './waiting.ts';

/** What came of waiting for several jobs. */
export interface Ends {
  readonly ended: readonly Job[];
  readonly open: readonly JobHandle[];
  /** There are none of these ids. */
  readonly unknown: readonly JobHandle[];
  /** What ended the first wait that did not see an end; null when all did, or the first failed job was enough. */
  readonly failure: unknown;
}

export interface AllWait {
  /** Stops at the first job that does not succeed. */
  readonly failFast?: boolean;
  /** Also ends the wait. */
  readonly signal?: AbortSignal;
  readonly waitFor: (job: JobHandle, options: WaitOptions) => Promise<Job>;
  readonly onEnd?: () => void;
}

/** Waits for all of them at once. A time-out of one leaves the wait for the others, and so does an id that is wrong. */
export async function waitForAll(
  cli: Cli,
  handles: readonly JobHandle[],
  { failFast = false, signal: given = cli.signal, waitFor, onEnd }: AllWait,
): Promise<Ends> {
  const stop = new AbortController();
  const signal = AbortSignal.any([cli.signal, given, stop.signal]);
  const ended: Job[] = [];
  const unknown: JobHandle[] = [];
  let failure: unknown = null;
  const waitForOne = async (job: JobHandle) => {
    const last = await waitFor(job, { signal, timeoutMs: cli.timeoutMs });
    ended.push(last);
    onEnd?.();
    if (failFast && last.status !== 'SUCCEEDED') stop.abort();
  };
  const fail = (job: JobHandle, error: unknown) => {
    // Failures after a stop are its consequence.
    if (stop.signal.aborted && !cli.signal.aborted) return;
    failure ??= error;
    if (isUnknown(error)) unknown.push(job);
    const isOfOne = isUnknown(error) ? !failFast : error instanceof WaitTimeoutError;
    if (!isOfOne) stop.abort();
  };
  await Promise.all(handles.map((job) => waitForOne(job).catch((error) => fail(job, error))));
  stop.abort();
  const open = handles.filter(
    (job) => !unknown.includes(job) && !ended.some(({ jobId }) => jobId === job.id),
  );
  return { ended, open, unknown, failure };
}

/** Says why jobs did not succeed, and what to do. Whether there was one. */
export async function tellFailures(cli: Cli, ended: readonly Job[]): Promise<boolean> {
  const failed = ended.filter(({ status }) => status !== 'SUCCEEDED');
  for (const job of failed) {
    const { message, hints } = jobFailure(job, cli.texts);
    await cli.notes.warn([message, ...hints].join('\n  '));
  }
  return failed.length > 0;
}
