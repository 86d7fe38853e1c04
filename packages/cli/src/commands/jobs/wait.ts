import { type Job, type JobHandle, WaitTimeoutError } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { onContactChange } from '../../output/contact.ts';
import { JOB } from './shapes.ts';
import { type Ends, tellFailures, waitForAll } from './wait-for-all.ts';
import { jobOf, needsFirstState, progressText, readAtOnce, unfinishedWait } from './waiting.ts';

export interface WaitOptions {
  readonly failFast?: true | undefined;
}

/** 0 when all succeeded, 3 when one ended otherwise, 8 when one is still open. */
export const wait = reads<[ids: readonly string[], options: WaitOptions]>(
  JOB,
  async (cli, ids, { failFast = false }) => {
    const client = await cli.client();
    const handles = [...new Set(ids)].map((id) => jobOf(cli, client, id));
    const { ended, failure, ...others } = await waitWithProgress(cli, handles, failFast);
    const error = failure ? unfinishedWait(cli, others, failure) : null;
    const isError = error !== null && !(error.cause instanceof WaitTimeoutError);
    if (ended.length > 0 || !isError) await cli.output.list(ended, JOB);
    const failed = await tellFailures(cli, ended);
    if (error) throw error;
    return failed ? EXIT.jobEnded : EXIT.ok;
  },
);

async function waitWithProgress(
  cli: Cli,
  handles: readonly JobHandle[],
  failFast: boolean,
): Promise<Ends> {
  const progress = await cli.progress();
  const { length } = handles;
  let open = length;
  const show = (reading: Job) => {
    const counted = cli.texts.jobs.waitingFor(open, length);
    progress.show(length === 1 ? progressText(reading) : counted);
  };
  const endContact = onContactChange(cli, {
    lost: () => progress.show(cli.texts.jobs.noAnswer),
  });
  const ends = await waitForAll(cli, handles, {
    failFast,
    async waitFor(job, options) {
      if (needsFirstState(cli, progress) && options.signal) readAtOnce(job, show, options.signal);
      return job.wait({ ...options, onProgress: show });
    },
    onEnd: () => {
      open -= 1;
    },
  });
  endContact();
  progress.clear();
  return ends;
}
