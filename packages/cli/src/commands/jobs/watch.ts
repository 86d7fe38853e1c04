import type { Job } from '@changgu/sdk';
import { reads } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { CHANGE } from './shapes.ts';
import { unfinishedWait } from './waiting.ts';

/** Writes every change as a line, the end included. */
export const watch = reads<[jobId: string]>(CHANGE, async (cli, jobId) => {
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
    throw unfinishedWait(cli, [job], error);
  }
});

function isNews(before: Job, now: Job): boolean {
  return (
    before.status !== now.status ||
    before.progress !== now.progress ||
    before.progressMessage !== now.progressMessage
  );
}
