import type { Job } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Shape } from '../../output/output.ts';
import { tellHowToGoOn } from './waiting.ts';

const CHANGE: Shape = {
  columns: ['job_id', 'status', 'progress', 'progress_message'],
  id: 'job_id',
};

/** Writes every change as a line, the end included. */
export async function watch(cli: Cli, jobId: string): Promise<ExitCode> {
  const client = await cli.client();
  const job = client.jobs.resume(jobId);
  try {
    let last = await job.poll(cli.call);
    await cli.output.change(last, CHANGE);
    for await (const change of job.events({ signal: cli.signal })) {
      if (isNews(last, change)) await cli.output.change(change, CHANGE);
      last = change;
    }
    return last.status === 'SUCCEEDED' ? EXIT.ok : EXIT.jobEnded;
  } catch (error) {
    await tellHowToGoOn(cli, [job], error);
    throw error;
  }
}

function isNews(before: Job, now: Job): boolean {
  return (
    before.status !== now.status ||
    before.progress !== now.progress ||
    before.progressMessage !== now.progressMessage
  );
}
